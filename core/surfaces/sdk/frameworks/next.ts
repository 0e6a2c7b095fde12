import type { AccessTokenClaims } from '../verify-token.js';
import { receiveEvent, type EventHandler, type ReceiverOptions } from './event-receiver.js';
import { createUserCheck, type Requirement, type UserCheckOptions } from './user-check.js';
import { bodyOf, factsOf, receiverResponse, refusalResponse, type WebBody, type WebRequest } from './web.js';

/*
 * `svc-sdk/next`: the signed-in user of a request, and webhooks, in route handlers of Next.js, and in other frameworks
 * whose handlers take a Request and return a Response.
 */

export type { Requirement, UserCheckOptions } from './user-check.js';
export type { EventHandler, ReceiverOptions } from './event-receiver.js';

export interface SvcAuth {
  /** The user of a request; null without a valid access token. */
  readonly userOf: (request: WebRequest) => Promise<AccessTokenClaims | null>;
  /**
   * A handler for signed-in users: `export const GET = auth.requireUser(async (request, user) => …)`. It answers 401
   * without a valid access token, and 403 without the organization or role.
   */
  readonly requireUser: <Req extends WebRequest, Rest extends readonly unknown[]>(
    handle: (request: Req, user: AccessTokenClaims, ...rest: Rest) => Promise<Response> | Response,
    requirement?: Requirement,
  ) => (request: Req, ...rest: Rest) => Promise<Response>;
}

/** `export const auth = svcAuth({ environmentId })`, once for the whole app. */
export function svcAuth(options: UserCheckOptions): SvcAuth {
  const check = createUserCheck(options);
  return {
    userOf: (request) => check.find(factsOf(request)),
    requireUser:
      (handle, requirement = {}) =>
      async (request, ...rest) => {
        const decision = await check.decide(factsOf(request), requirement);
        return 'refusal' in decision ? refusalResponse(decision.refusal) : handle(request, decision.user, ...rest);
      },
  };
}

/** Receives webhooks: `export const POST = receiveEvents({ secret }, async (event) => …)`. */
export const receiveEvents =
  (options: ReceiverOptions, handle: EventHandler) =>
  async (request: WebBody): Promise<Response> =>
    receiverResponse(await receiveEvent(bodyOf(request), request.headers.get('svc-signature'), options, handle));
