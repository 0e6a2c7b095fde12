import { parsedBodyError, type RawBody, type ReceiverAnswer } from './event-receiver.js';
import type { Refusal, RequestFacts } from './user-check.js';

/* Requests and responses of node:http, as Express, Koa and Fastify pass them on. */

export interface NodeRequest {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A request whose body can be read. */
export interface NodeBody extends NodeRequest {
  readonly readableEnded: boolean;
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
}

export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

export const factsOf = ({ method = 'GET', headers }: NodeRequest): RequestFacts => ({
  method,
  header(name) {
    const value = headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  },
});

/**
 * The body of a request that nobody has parsed.
 * @param parsed what another middleware made of it
 * @throws TypeError if it was parsed
 */
export function bodyOf(request: NodeBody, parsed: unknown, fix: string): RawBody {
  if (typeof parsed === 'string' || parsed instanceof Uint8Array) return parsed;
  if (request.readableEnded) throw parsedBodyError(fix);
  // The connection stays open, for the answer to a body that is too large.
  return request.iterator({ destroyOnReturn: false });
}

export function writeRefusal(response: NodeResponse, { status, headers, body }: Refusal): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(body);
}

/** The rest of a body that is too large is not read: the connection ends with the answer. */
export function headersOf({ status }: ReceiverAnswer): Readonly<Record<string, string>> {
  return status === 413 ? { Connection: 'close' } : {};
}
