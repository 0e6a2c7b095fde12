import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageCookie, PageRequest } from './page.js';
import type { Services } from './services.js';

/** A request that a library answers. */
export interface Exchange {
  /** The request as pages see it, but without a form. */
  page: PageRequest;
  /** Its body is read already: `body` has it, and the library takes `request.body` in place of the stream. */
  request: IncomingMessage & { readonly body: Buffer };
  response: ServerResponse;
  /** Sets cookies with the answer. */
  setCookies: (cookies: readonly PageCookie[]) => void;
}

/**
 * An address of a protocol that a library speaks with other software. The library checks methods, origins and the
 * content of bodies itself. An error that `answer` throws before the library has answered is returned in the error
 * envelope.
 */
export interface Endpoint {
  /** `/auth/{environmentId}/oidc/token` */
  readonly path: string;
  readonly answer: (exchange: Exchange, services: Services) => Promise<void>;
}
