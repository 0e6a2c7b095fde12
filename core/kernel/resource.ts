import type { RequestFacts } from './caller/caller.js';
import type { Services } from './services.js';

interface ResourceRequest {
  /** The values of the path's parameters, decoded. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  request: RequestFacts;
}

interface ResourceAnswer {
  body: string | Buffer;
  /** Content-Type of `body`. */
  type: string;
  /** How long anyone may cache the answer: `Cache-Control: public, max-age`. */
  cacheSeconds: number;
  /** What is at the address never changes: caches do not ask again (RFC 8246). */
  isImmutable?: true;
  /** Called once the reader has the answer, or has gone. */
  release?: () => void;
}

/**
 * A public document at a fixed address, for GET and HEAD, with and without /v1: the same for every reader, so browsers
 * of any origin may read it, and caches may keep it. An error that `answer` throws (not_found) is returned in the error
 * envelope.
 */
export interface Resource {
  /** `/auth/jwks/{environmentId}` */
  readonly path: string;
  readonly answer: (request: ResourceRequest, services: Services) => Promise<ResourceAnswer>;
}
