import type { CustomFetch } from 'openid-client';
import type { Clock } from '#core/runtime/clock.js';
import type { HttpClient } from '#core/runtime/http-client/client.js';
import { ProviderProblem } from './provider-problem.js';

/**
 * How a provider is called: with svc's own HTTP client, which does not connect to private addresses or follow
 * redirects.
 */
export interface Outbound {
  readonly http: HttpClient;
  readonly clock: Clock;
  /** Plain http is allowed, because the environment is a test environment. */
  readonly plainHttp: boolean;
  /** The environment whose connections are used: a provider that hangs for one environment does not delay others. */
  readonly environmentId: string;
}

interface ProviderRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

export interface ProviderAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** For each request to a provider. A sign-in waits for two or three of them. */
const timeoutMs = 8_000;

/** Key sets with certificates take up to 30 KiB. */
const maxBytes = 128 * 1024;

/**
 * Sends one request to a provider.
 * @throws ProviderProblem if the answer is not complete
 */
export async function callProvider(outbound: Outbound, request: ProviderRequest): Promise<ProviderAnswer> {
  const answer = await outbound.http.request({
    ...request,
    http: outbound.plainHttp,
    timeoutMs,
    maxResponseBytes: maxBytes,
    pool: `oauth ${outbound.environmentId}`,
  });
  if (!answer.ok) {
    const { kind, message } = answer.error;
    const problem = `${hostOf(request.url)}: ${message.replace(/\.$/, '')}`;
    throw new ProviderProblem(kind === 'url_not_allowed' ? kind : 'failed', problem);
  }
  if (answer.truncated)
    throw new ProviderProblem('failed', `${hostOf(request.url)}: The response is larger than ${maxBytes / 1024} KiB`);
  return answer;
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'the address');

/** Statuses whose Response takes no body (Fetch standard, “null body status”). */
const withoutBody = new Set([204, 205, 304]);

/** An answer as the Response that openid-client reads. */
export function responseOf({ status, headers, body }: ProviderAnswer): Response {
  if (status < 200 || status > 599) throw new ProviderProblem('failed', `it returned HTTP status ${status}`);
  return new Response(withoutBody.has(status) ? null : new Uint8Array(body), { status, headers });
}

/** openid-client's hook for requests. */
export const fetchOver =
  (outbound: Outbound): CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await callProvider(outbound, {
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(body instanceof URLSearchParams || typeof body === 'string' ? { body: body.toString() } : {}),
    });
    return responseOf(isErrorOfGitHub(answer) ? { ...answer, status: 400 } : answer);
  };

/** GitHub answers refused codes with status 200 and `error`. RFC 6749 section 5.2 requires 400. */
const isErrorOfGitHub = ({ status, body }: ProviderAnswer): boolean =>
  status === 200 && /^\s*\{\s*"error"\s*:\s*"/.test(body.toString('latin1', 0, 100));
