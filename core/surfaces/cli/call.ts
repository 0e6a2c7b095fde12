import { pathOf } from '#core/kernel/operation.js';
import { causeOf } from '../cause.js';
import { isRecord, parseJson } from '#core/runtime/json.js';
import { retryAfterOf } from '../sdk/retry.js';
import { CliError, exit, ApiError, NoAnswer } from './errors.js';

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
 * @throws ApiError when the server answers an error; NoAnswer when it cannot be reached, or the connection is lost;
 *   CliError when no svc server answers at the address
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
  const body = parseJson(await textOf(baseUrl, response, signal));
  if (!isRecord(body)) throw notSvc(baseUrl, response);
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
  if (!isRecord(body['result'])) throw notSvc(baseUrl, response);
  return {
    activityId: textAt(body, 'activityId'),
    result: body['result'],
    requestId: response.headers.get('X-Request-Id') ?? '',
    replayed: response.headers.get('Idempotent-Replayed') === 'true',
  };
}

/** How gateways answer while the server behind them is away. */
const gatewayStatuses = [502, 503, 504];

const notSvc = (baseUrl: string, { status, headers }: Response): CliError =>
  gatewayStatuses.includes(status)
    ? new NoAnswer(
        `${baseUrl} answered ${status} without an error of svc: the server behind this gateway cannot be reached.`,
        'Repeat the command when the server runs, or pass another address with --base-url; run `svc doctor` to diagnose.',
        retryAfterOf(headers, ''),
      )
    : new CliError(
        `The server at ${baseUrl} is not an svc server (status ${status}).`,
        'Pass the right address with --base-url, or log in again with `svc login --base-url <url>`.',
        exit.failure,
      );

/** The body of a response. @throws NoAnswer if the connection is lost before its end */
const textOf = (baseUrl: string, response: Response, signal: AbortSignal | undefined): Promise<string> =>
  response.text().catch((error: unknown) => {
    throw signal?.aborted === true ? error : notReached(baseUrl, error);
  });

/** Sends a request. @throws NoAnswer when the server cannot be reached */
export async function reach(baseUrl: string, path: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(`${baseUrl}${path}`, { redirect: 'manual', ...init });
  } catch (error) {
    throw init.signal?.aborted === true ? error : notReached(baseUrl, error);
  }
}

const notReached = (baseUrl: string, error: unknown): NoAnswer =>
  new NoAnswer(
    `${baseUrl} cannot be reached: ${causeOf(error)}.`,
    'Start the server with `npm start`, or pass another address with --base-url; run `svc doctor` to diagnose.',
  );
