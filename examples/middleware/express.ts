import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessTokenClaims } from 'svc-sdk/session';
import { userOf } from './user-of.js';

type Request = IncomingMessage & { user?: AccessTokenClaims | null };

/** Express: `app.use(withUser)`, then `request.user` in every handler. */
export function withUser(request: Request, _response: ServerResponse, next: (error?: unknown) => void): void {
  userOf(request.headers.authorization, request.headers.cookie).then(
    (user) => {
      request.user = user;
      next();
    },
    (error: unknown) => next(error),
  );
}

/** Express: for routes that need somebody: `app.get('/orders', signedIn, …)`. */
export function signedIn(request: Request, response: ServerResponse, next: () => void): void {
  if (request.user) {
    next();
    return;
  }
  response.statusCode = 401;
  response.end('Sign in first.');
}
