import type { AccessTokenClaims } from '../verify-token.js';
import { receiveEvent, type EventHandler, type ReceiverOptions } from './event-receiver.js';
import { createUserCheck, type Requirement, type UserCheckOptions } from './user-check.js';
import { bodyOf, factsOf, receiverResponse, refusalResponse, type WebBody, type WebRequest } from './web.js';

/* `svc-sdk/hono`: the signed-in user of a request, and webhooks, in Hono 4. */

export type { Requirement, UserCheckOptions } from './user-check.js';
export type { EventHandler, ReceiverOptions } from './event-receiver.js';
// Declarations of an app name them: export const POST = receiveEvents(…).
export type { WebBody, WebRequest } from './web.js';

/** `new Hono<{ Variables: SvcVariables }>()`: after requireUser, `context.get('user')` is the user. */
export interface SvcVariables {
  user: AccessTokenClaims;
}

/** `new Hono<{ Variables: OptionalSvcVariables }>()`: after withUser, it may be null. */
export interface OptionalSvcVariables {
  user: AccessTokenClaims | null;
}

export interface HonoContext<Req = WebRequest> {
  readonly req: { readonly raw: Req };
  set(key: 'user', user: unknown): void;
}

export type Next = () => Promise<void>;
export type Middleware = (context: HonoContext, next: Next) => Promise<Response | undefined>;

export interface SvcAuth {
  /** For all requests: `context.get('user')` is null without a valid access token. */
  readonly withUser: Middleware;
  /** Answers 401 without a valid access token, and 403 without the organization or role. */
  readonly requireUser: (requirement?: Requirement) => Middleware;
}

/** `const auth = svcAuth({ environmentId })`, once for the whole app. */
export function svcAuth(options: UserCheckOptions): SvcAuth {
  const check = createUserCheck(options);
  return {
    async withUser(context, next) {
      context.set('user', await check.find(factsOf(context.req.raw)));
      await next();
      return undefined;
    },
    requireUser:
      (requirement = {}) =>
      async (context, next) => {
        const decision = await check.decide(factsOf(context.req.raw), requirement);
        if ('refusal' in decision) return refusalResponse(decision.refusal);
        context.set('user', decision.user);
        await next();
        return undefined;
      },
  };
}

/** Receives webhooks: `app.post('/webhooks/svc', receiveEvents({ secret }, async (event) => …))`. */
export const receiveEvents =
  (options: ReceiverOptions, handle: EventHandler) =>
  async ({ req: { raw } }: Pick<HonoContext<WebBody>, 'req'>): Promise<Response> =>
    receiverResponse(await receiveEvent(bodyOf(raw), raw.headers.get('svc-signature'), options, handle));
