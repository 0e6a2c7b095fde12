import type { RequestFacts } from './caller/caller.js';
import type { Services } from './services.js';

export interface CallbackRequest {
  /** The body exactly as received: signatures are computed over these bytes. */
  rawBody: Buffer;
  /** All request headers by lower-case name; repeated ones joined with `, `. */
  headers: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /**
   * This callback's configured public address with its query: what providers sign. Never taken from the Host header.
   */
  url: string;
  request: RequestFacts;
}

export interface CallbackAnswer {
  status: number;
  /** Empty by default. */
  body?: string | Buffer;
  /** Content-Type of `body`; text/plain by default. */
  type?: string;
}

/**
 * An address that a provider's server calls (docs/interface.md, Versioning 2). It authenticates the sender itself, by a
 * signature or a shared secret, and is not listed in /openapi.json. An error that `answer` throws is returned in the
 * error envelope.
 */
export interface Callback {
  /** POST, under /v1 only. */
  readonly path: `/v1/${string}`;
  /** The largest request body, in bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
  /**
   * Authenticates the sender by only the headers, before the body is read: large bodies from other senders then take no
   * memory. Its errors are returned like those of `answer`.
   */
  readonly admit?: (request: Pick<CallbackRequest, 'headers'>, services: Services) => void;
  readonly answer: (request: CallbackRequest, services: Services) => Promise<CallbackAnswer>;
}
