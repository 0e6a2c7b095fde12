import type { ReceiverAnswer } from './event-receiver.js';
import type { Redirect, WaitPage } from './server-session.js';
import type { Refusal, RequestFacts } from './user-check.js';

/* Requests and responses of the Fetch standard, as Hono and Next.js pass them on. */

export interface WebRequest {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
}

interface Chunks {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<unknown>;
}

/** A request whose body can be read. */
export interface WebBody extends WebRequest {
  readonly body: { getReader(): Chunks } | null;
}

export const factsOf = ({ method, headers }: WebRequest): RequestFacts => ({
  method,
  header: (name) => headers.get(name),
});

/** Not the stream itself: not every runtime can iterate over one. */
export async function* bodyOf({ body }: WebBody): AsyncGenerator<Uint8Array, void> {
  const chunks = body?.getReader();
  if (!chunks) return;
  try {
    for (;;) {
      const { done, value } = await chunks.read();
      if (done) return;
      if (value) yield value;
    }
  } finally {
    await chunks.cancel();
  }
}

/** A response with cookies in addition to its own. */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  if (cookies.length === 0) return response;
  // A copy: the headers of some responses cannot be changed.
  const copy = new Response(response.body, response);
  for (const cookie of cookies) copy.headers.append('Set-Cookie', cookie);
  // A cache would give one person's session to others.
  copy.headers.set('Cache-Control', 'private, no-store');
  return copy;
}

/** After a redirect with 303, the browser requests the address with GET. */
export const redirectResponse = ({ location, cookies }: Redirect): Response =>
  withCookies(new Response(null, { status: 303, headers: { Location: location } }), cookies);

export const refusalResponse = ({ status, headers, body }: Refusal | WaitPage): Response =>
  new Response(body, { status, headers: { ...headers } });

/** A response with status 204 has no body. */
export const receiverResponse = ({ status, text }: ReceiverAnswer): Response =>
  new Response(status === 204 ? null : text, { status });
