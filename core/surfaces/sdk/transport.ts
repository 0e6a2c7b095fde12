import { readAnswer } from './answer.js';
import { SvcError } from './errors.js';
import type { Envelope, Fetch } from './types.js';

/** One attempt of a call. */
export interface Attempt {
  readonly operation: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends one request and reads the whole response within `timeoutMs`.
 * @throws SvcError for an error response or no response; the signal's reason when it is aborted
 */
export async function attempt(fetch: Fetch, request: Attempt): Promise<Envelope<unknown>> {
  const { operation, url, headers, body, timeoutMs, signal } = request;
  const call = { operation, url, idempotencyKey: headers['Idempotency-Key'] };
  signal?.throwIfAborted();
  // Not AbortSignal.any, which older browsers lack. The listener is removed at the end, because the signal may outlive
  // the call.
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    const { answer, text } = await send();
    return readAnswer(call, answer, text);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }

  async function send(): Promise<{ answer: Awaited<ReturnType<Fetch>>; text: string }> {
    try {
      const answer = await fetch(url, { method: 'POST', headers, body, signal: controller.signal });
      return { answer, text: await answer.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      throw noResponseError(call, cause, controller.signal.aborted ? timeoutMs : undefined);
    }
  }
}

/** The cause that Node's fetch reports. */
const blockedPort = 'bad port';

/** Whether the server answered https with plain http, whose first bytes OpenSSL interprets as TLS. */
function isPlainHttp(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  return (
    code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG' || isPlainHttp(error.cause)
  );
}

/** Why no response came. Node's fetch has the reason as the cause of “fetch failed”. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  if (isPlainHttp(error)) return 'the server does not speak TLS at that port';
  return error.cause instanceof Error && error.cause.message !== '' ? reasonOf(error.cause) : error.message;
}

function fixFor(url: string, cause: unknown, idempotencyKey: string | undefined): string {
  // Only if it failed: in a browser, a baseUrl without a host is the page's own.
  if (!/^https?:\/\//i.test(url))
    return 'Pass a baseUrl that begins with https:// or http://, such as https://svc.example.com.';
  if (reasonOf(cause) === blockedPort)
    return 'Node.js and browsers refuse to connect to the port of baseUrl (https://fetch.spec.whatwg.org/#port-blocking): let the server listen on another one, such as 8080, and change baseUrl.';
  if (isPlainHttp(cause))
    return 'Let baseUrl begin with http:// where the server is reached directly, or name the address of the proxy that ends TLS.';
  const again =
    idempotencyKey === undefined ? '' : ' with the idempotencyKey of this error, so that the call does not run twice';
  return `Check that the server at baseUrl is running and reachable, then call again${again}.`;
}

const noResponseError = (
  {
    operation,
    url,
    idempotencyKey,
  }: { readonly operation: string; readonly url: string; readonly idempotencyKey: string | undefined },
  cause: unknown,
  timeoutMs: number | undefined,
): SvcError =>
  new SvcError({
    code: timeoutMs === undefined ? 'connection_failed' : 'timed_out',
    status: 0,
    message:
      timeoutMs === undefined
        ? `${operation} got no response: ${reasonOf(cause)}.`
        : `${operation} got no response within ${timeoutMs} ms.`,
    fix: fixFor(url, cause, idempotencyKey),
    requestId: '',
    operation,
    idempotencyKey,
    cause,
  });
