import { pathOf } from '#core/kernel/operation.js';
import { causeOf } from '../cause.js';
import { isRecord } from '#core/runtime/json.js';
import { retryAfterOf } from '../sdk/retry.js';
import { CliError, exit, ApiError } from './errors.js';

export interface Answer {
  readonly activityId: string;
  readonly result: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly replayed: boolean;
}

/** The server to call, and the key to send. */
export interface CallTarget {
  readonly baseUrl: string;
  readonly key: string | undefined;
  /** The source of the key, for people. */
  readonly keysFrom?: string;
  /** In place of a key: the access token of a dashboard session, refreshed when it has to be. */
  readonly accessTokenOf?: (() => Promise<string>) | undefined;
  /** The environment that the dashboard session acts in. */
  readonly environmentId?: string | undefined;
}

/** The headers that identify the caller. @throws CliError if the session has ended */
export async function credentialsOf({
  key,
  accessTokenOf,
  environmentId,
}: Pick<CallTarget, 'key' | 'accessTokenOf' | 'environmentId'>): Promise<Readonly<Record<string, string>>> {
  if (key !== undefined) return { Authorization: `Bearer ${key}` };
  if (!accessTokenOf) return {};
  const environment = environmentId === undefined ? {} : { 'Svc-Environment': environmentId };
  return { Authorization: `Bearer ${await accessTokenOf()}`, ...environment };
}

const textAt = (value: Record<string, unknown>, name: string): string =>
  typeof value[name] === 'string' ? value[name] : '';

/** In place of the server's fix, which names the header to send: people at a command line give keys otherwise. */
const howToReplaceKey =
  'Pass a key of this server that is not revoked, with `svc login --key <key>` or in SVC_API_KEY. `svc login` signs you in without a key, `svc developers key create` then makes one; the first keys are in var/first-run.json on the server: `svc login --from var/first-run.json`.';

/**
 * Calls one operation.
 * @throws ApiError when the server answers an error; CliError when no svc server answers at the address
 */
export async function callOperation(
  { baseUrl, key, keysFrom, accessTokenOf, environmentId }: CallTarget,
  name: string,
  input: unknown,
  { idempotencyKey, signal }: { idempotencyKey?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Answer> {
  const credentials = await credentialsOf({ key, accessTokenOf, environmentId });
  const response = await reach(baseUrl, pathOf(name), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'svc-cli',
      ...credentials,
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    },
    body: JSON.stringify(input),
    ...(signal ? { signal } : {}),
  });
  const body = await jsonOf(response);
  if (!isRecord(body)) throw notSvc(baseUrl, response.status);
  if (isRecord(body['error'])) {
    const { error } = body;
    throw new ApiError(
      response.status,
      textAt(error, 'code'),
      textAt(error, 'message'),
      key !== undefined && textAt(error, 'code') === 'unauthenticated' ? howToReplaceKey : textAt(error, 'fix'),
      textAt(error, 'requestId'),
      body,
      response.status === 401 && 'Authorization' in credentials ? keysFrom : undefined,
      retryAfterOf(response.headers, textAt(error, 'fix')),
    );
  }
  if (!isRecord(body['result'])) throw notSvc(baseUrl, response.status);
  return {
    activityId: textAt(body, 'activityId'),
    result: body['result'],
    requestId: response.headers.get('X-Request-Id') ?? '',
    replayed: response.headers.get('Idempotent-Replayed') === 'true',
  };
}

const notSvc = (baseUrl: string, status: number): CliError =>
  new CliError(
    `The server at ${baseUrl} is not an svc server (status ${status}).`,
    'Pass the right address with --base-url, or log in again with `svc login --base-url <url>`.',
    exit.failure,
  );

const jsonOf = async (response: Response): Promise<unknown> => response.json().catch(() => undefined);

/** Sends a request. @throws CliError when the server cannot be reached */
export async function reach(baseUrl: string, path: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(`${baseUrl}${path}`, { redirect: 'manual', ...init });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new CliError(
      `${baseUrl} cannot be reached: ${causeOf(error)}.`,
      'Start the server with `npm start`, or pass another address with --base-url; run `svc doctor` to diagnose.',
      exit.failure,
    );
  }
}
