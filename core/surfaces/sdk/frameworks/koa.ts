import type { AccessTokenClaims } from '../verify-token.js';
import { receiveEvent, type EventHandler, type ReceiverOptions } from './event-receiver.js';
import { bodyOf, factsOf, headersOf, type NodeBody, type NodeRequest } from './node.js';
import { createUserCheck, type Requirement, type UserCheckOptions } from './user-check.js';

/* `svc-sdk/koa`: the signed-in user of a request, and webhooks, in Koa 2 and 3. */

export type { Requirement, UserCheckOptions } from './user-check.js';
export type { EventHandler, ReceiverOptions } from './event-receiver.js';
// Declarations of an app name them: export const POST = receiveEvents(…).
export type { NodeBody, NodeRequest } from './node.js';

export type Next = () => Promise<unknown>;

export interface KoaContext<Req = NodeRequest> {
  readonly req: Req;
  status: number;
  body: unknown;
  set(headers: Record<string, string>): void;
}

/** Middleware after which `context.state.user` is the user. */
export type UserMiddleware<User> = (context: KoaContext & { state: { user: User } }, next: Next) => Promise<void>;

export interface SvcAuth {
  /** For all requests: `context.state.user` is null without a valid access token. */
  readonly withUser: UserMiddleware<AccessTokenClaims | null>;
  /** Answers 401 without a valid access token, and 403 without the organization or role. */
  readonly requireUser: (requirement?: Requirement) => UserMiddleware<AccessTokenClaims>;
}

/** `const auth = svcAuth({ environmentId })`, once for the whole app. */
export function svcAuth(options: UserCheckOptions): SvcAuth {
  const check = createUserCheck(options);
  return {
    async withUser(context, next) {
      context.state.user = await check.find(factsOf(context.req));
      await next();
    },
    requireUser:
      (requirement = {}) =>
      async (context, next) => {
        const decision = await check.decide(factsOf(context.req), requirement);
        if ('refusal' in decision) {
          const { status, headers, body } = decision.refusal;
          context.status = status;
          context.set({ ...headers });
          context.body = body;
          return;
        }
        context.state.user = decision.user;
        await next();
      },
  };
}

/** Receives webhooks: `router.post('/webhooks/svc', receiveEvents({ secret }, async (event) => …))`. */
export const receiveEvents =
  (options: ReceiverOptions, handle: EventHandler) =>
  async (context: KoaContext<NodeBody> & { readonly request: object }): Promise<void> => {
    // As koa-bodyparser keeps it.
    const raw: unknown = Reflect.get(context.request, 'rawBody');
    const body = bodyOf(context.req, raw, 'Register receiveEvents before the middleware that parses bodies.');
    const received = await receiveEvent(body, factsOf(context.req).header('svc-signature'), options, handle);
    context.set({ ...headersOf(received) });
    context.body = received.text;
    context.status = received.status;
  };
