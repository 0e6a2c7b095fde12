import type { RequestFacts } from './caller/caller.js';
import type { Services } from './services.js';

export interface CallbackRequest {
  /** The body exactly as received: signatures are computed over these bytes. */
  rawBody: Buffer;
  /** All request headers by lower-case name; repeated ones joined with `, `. */
  headers: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** This callback's configured public address with its query: what providers sign. Never taken from the Host header. */
  url: string;
  request: RequestFacts;
}

export interface CallbackAnswer {
  status: number;
  /** Empty where nothing is given. */
  body?: string | Buffer;
  /** Content-Type of `body`; text/plain where nothing is given. */
  type?: string;
}

/**
 * An address that a provider's server calls (docs/interface.md, Versioning 2). It authenticates the sender itself, by a
 * signature or a shared secret, and is not listed in /openapi.json. What `answer` throws is answered in the error envelope.
 */
export interface Callback {
  /** POST, under /v1 only. */
  readonly path: `/v1/${string}`;
  /** Bytes of request body; 1 MiB where nothing is given. */
  readonly bodyLimit?: number;
  /**
   * Authenticates the sender by the headers alone, before the body is read: large bodies of others take no memory then. What it throws is
   * answered like what `answer` throws.
   */
  readonly admit?: (request: Pick<CallbackRequest, 'headers'>, services: Services) => void;
  readonly answer: (request: CallbackRequest, services: Services) => Promise<CallbackAnswer>;
}
