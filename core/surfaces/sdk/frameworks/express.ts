import type { AccessTokenClaims } from '../verify-token.js';
import { receiveEvent, type EventHandler, type ReceiverOptions } from './event-receiver.js';
import {
  bodyOf,
  factsOf,
  headersOf,
  writeRefusal,
  type NodeBody,
  type NodeRequest,
  type NodeResponse,
} from './node.js';
import { createUserCheck, type Requirement, type UserCheckOptions } from './user-check.js';

/* `svc-sdk/express`: the signed-in user of a request, and webhooks, in Express 4 and 5. */

export type { Requirement, UserCheckOptions } from './user-check.js';
export type { EventHandler, ReceiverOptions } from './event-receiver.js';
// Declarations of an app name them: export const POST = receiveEvents(…).
export type { NodeBody, NodeRequest, NodeResponse } from './node.js';

export type Next = (error?: unknown) => void;

/** Middleware after which `response.locals.user` is the user. */
export type UserMiddleware<User> = (
  request: NodeRequest,
  response: NodeResponse & { locals: { user: User } },
  next: Next,
) => void;

export interface SvcAuth {
  /** For all requests: `response.locals.user` is null without a valid access token. */
  readonly withUser: UserMiddleware<AccessTokenClaims | null>;
  /** Answers 401 without a valid access token, and 403 without the organization or role. */
  readonly requireUser: (requirement?: Requirement) => UserMiddleware<AccessTokenClaims>;
}

/** `const auth = svcAuth({ environmentId })`, once for the whole app. */
export function svcAuth(options: UserCheckOptions): SvcAuth {
  const check = createUserCheck(options);
  return {
    withUser(request, response, next) {
      check
        .find(factsOf(request))
        .then((user) => {
          response.locals.user = user;
          next();
        })
        .catch(next);
    },
    requireUser:
      (requirement = {}) =>
      (request, response, next) => {
        check
          .decide(factsOf(request), requirement)
          .then((decision) => {
            if ('user' in decision) {
              response.locals.user = decision.user;
              next();
            } else writeRefusal(response, decision.refusal);
          })
          .catch(next);
      },
  };
}

/**
 * Receives webhooks: `app.post('/webhooks/svc', receiveEvents({ secret }, async (event) => …))`. Register it before
 * `express.json()`.
 */
export const receiveEvents =
  (options: ReceiverOptions, handle: EventHandler) =>
  (request: NodeBody & { readonly body?: unknown }, response: NodeResponse, next: Next): void => {
    const answer = async (): Promise<void> => {
      const body = bodyOf(request, request.body, 'Register receiveEvents before express.json().');
      const received = await receiveEvent(body, factsOf(request).header('svc-signature'), options, handle);
      response.statusCode = received.status;
      for (const [name, value] of Object.entries(headersOf(received))) response.setHeader(name, value);
      response.end(received.text);
    };
    answer().catch(next);
  };
