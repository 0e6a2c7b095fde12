import type { HttpClient } from '#core/runtime/http-client/client.js';
import { at, parseJson } from '#core/runtime/json.js';
import type { ProviderProblem, ProviderResult, TextAnswer } from './provider.js';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** See HttpRequest. */
  readonly startBy?: number | undefined;
}

/** A provider's answer. `json` is undefined if its body is not JSON; a successful answer to a GET always has it. */
export type ApiAnswer =
  | { readonly ok: true; readonly status: number; readonly json: unknown }
  /**
   * No complete answer came. isUnclear: the request may have been sent, so that the call may have been carried out
   * anyway.
   */
  | { readonly ok: false; readonly problem: string; readonly isUnclear: boolean };

/** Lookups return up to 100 texts of 1,600 characters, and each character may be an escape of 6 bytes. */
const maxBytes = 2 * 1024 * 1024;
const timeoutMs = 15_000;

/** The HTTP client has 16 connections to an origin in each pool; texts use this many pools in turn. */
const textPools = 4;
let turn = 0;

/** The pool of the next text. */
export function nextTextPool(): string {
  turn = (turn + 1) % textPools;
  return `texts ${turn}`;
}

export interface CallOptions {
  /** Whose connections: texts and everything else do not wait for each other. */
  readonly pool?: string;
  /** See HttpRequest. */
  readonly startBy?: number | undefined;
}

/** Calls a provider once, over connections that only calls of one `pool` share. */
export async function callApi(http: HttpClient, pool: string, request: ApiRequest): Promise<ApiAnswer> {
  const { url } = request;
  const answer = await http.request({
    ...request,
    headers: { ...request.headers, accept: 'application/json', 'user-agent': 'svc' },
    http: url.startsWith('http:'),
    timeoutMs,
    maxResponseBytes: maxBytes,
    pool: `sms ${pool}`,
  });
  if (!answer.ok) {
    const { kind, message } = answer.error;
    return { ok: false, problem: message.replace(/\.$/, ''), isUnclear: kind === 'timeout' || kind === 'protocol' };
  }
  const { status, truncated, body } = answer;
  const json = truncated ? undefined : parseJson(body.toString('utf8'));
  // Otherwise an object that the provider has would seem to be missing, and would be created twice.
  if (request.method === 'GET' && status < 300 && json === undefined)
    return { ok: false, problem: 'its response is incomplete or not JSON', isUnclear: true };
  return { ok: true, status, json };
}

/**
 * The list in the answer to a lookup. Without it, it is not known what the provider has.
 * @param name of the list in the answer
 */
export function listedIn(json: unknown, name: string): ProviderResult<readonly unknown[]> {
  const found = at(json, name);
  return Array.isArray(found)
    ? { ok: true, value: found }
    : { ok: false, problem: `its response contains no ${name}`, isTemporary: true };
}

/** The result of a text whose delivery attempt had no complete answer. */
export const noAnswer = ({ isUnclear, problem }: Extract<ApiAnswer, { ok: false }>): TextAnswer => ({
  outcome: isUnclear ? 'unclear' : 'temporary',
  providerId: null,
  code: null,
  response: problem,
});

/**
 * Whether the provider may have carried out the call despite this answer. This is possible after an error of the
 * provider, or of a server in front of it.
 */
export const isUnclearStatus = (status: number): boolean => [408, 500, 502, 504].includes(status);

/**
 * Whether the same call could succeed later: rate limits, the provider's own errors, and credentials that the operator
 * must correct.
 */
export const isTemporaryStatus = (status: number): boolean =>
  status >= 500 || status === 429 || status === 408 || status === 401 || status === 403;

/** A provider's own error: its code, if it gave one, and its message. */
interface ProviderError {
  readonly code: string | number | null;
  readonly message: string;
}

/**
 * How a failed call is reported.
 * @param errorOf reads the provider's error from an answer that arrived
 */
export function callProblem(
  answer: ApiAnswer,
  errorOf: (status: number, json: unknown) => ProviderError,
): { readonly ok: false } & ProviderProblem {
  if (!answer.ok) return { ok: false, problem: answer.problem, isTemporary: true };
  const { code, message } = errorOf(answer.status, answer.json);
  const text = message.replace(/\.$/, '');
  return {
    ok: false,
    problem: code === null ? text : `${text} (error ${code})`,
    isTemporary: isTemporaryStatus(answer.status),
  };
}
