import type { AccessTokenClaims } from '../verify-token.js';
import { parsedBodyError, receiveEvent, type EventHandler, type ReceiverOptions } from './event-receiver.js';
import { factsOf, type NodeRequest } from './node.js';
import { createUserCheck, type Requirement, type UserCheckOptions } from './user-check.js';

/* `svc-sdk/fastify`: the signed-in user of a request, and webhooks, in Fastify 4 and 5. */

export type { Requirement, UserCheckOptions } from './user-check.js';
export type { EventHandler, ReceiverOptions } from './event-receiver.js';
// Declarations of an app name them: export const POST = receiveEvents(…).
export type { NodeRequest } from './node.js';

export interface FastifyRequest extends NodeRequest {
  readonly body: unknown;
}

export interface FastifyReply {
  code(status: number): unknown;
  headers(values: Record<string, string>): unknown;
  send(body: string): unknown;
}

export interface SvcAuth {
  /** A hook for all requests: `app.addHook('onRequest', auth.withUser)`. */
  readonly withUser: (request: NodeRequest) => Promise<void>;
  /** A hook that answers 401 without a valid access token, and 403 without the organization or role. */
  readonly requireUser: (requirement?: Requirement) => (request: NodeRequest, reply: FastifyReply) => Promise<unknown>;
  /**
   * The user of a request.
   * @throws Error if requireUser has not admitted one
   */
  readonly userOf: (request: NodeRequest) => AccessTokenClaims;
  /** The user of a request after one of the hooks; null without a valid access token. */
  readonly optionalUserOf: (request: NodeRequest) => AccessTokenClaims | null;
}

/** `const auth = svcAuth({ environmentId })`, once for the whole app. */
export function svcAuth(options: UserCheckOptions): SvcAuth {
  const check = createUserCheck(options);
  const users = new WeakMap<NodeRequest, AccessTokenClaims>();
  return {
    async withUser(request) {
      const user = await check.find(factsOf(request));
      if (user) users.set(request, user);
    },
    requireUser:
      (requirement = {}) =>
      async (request, reply) => {
        const decision = await check.decide(factsOf(request), requirement);
        if ('user' in decision) {
          users.set(request, decision.user);
          return undefined;
        }
        const { status, headers, body } = decision.refusal;
        reply.code(status);
        reply.headers({ ...headers });
        // Returned, so that Fastify runs no further hook (Hooks, “Respond to a request from a hook”).
        return reply.send(body);
      },
    userOf(request) {
      const user = users.get(request);
      if (!user) throw new Error('There is no user: add `preHandler: auth.requireUser()` to the route.');
      return user;
    },
    optionalUserOf: (request) => users.get(request) ?? null,
  };
}

export interface FastifyScope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit?: number },
    parse: (request: FastifyRequest, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  post(path: string, handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}

/**
 * A plugin that receives webhooks: `app.register(receiveEvents('/webhooks/svc', { secret }, async (event) => …))`. Its
 * parser of bodies is for this route only. Fastify itself answers 413 to a body that is too large.
 */
export const receiveEvents =
  (path: string, options: ReceiverOptions, handle: EventHandler) =>
  (scope: FastifyScope, _options: unknown, done: () => void): void => {
    const { maxBytes } = options;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', ...(maxBytes === undefined ? {} : { bodyLimit: maxBytes }) },
      (_request, body, parsed) => parsed(null, body),
    );
    scope.post(path, async (request, reply) => {
      const body = request.body ?? new Uint8Array();
      if (!(body instanceof Uint8Array)) throw parsedBodyError('Register receiveEvents as a plugin of its own.');
      const received = await receiveEvent(body, factsOf(request).header('svc-signature'), options, handle);
      reply.code(received.status);
      return reply.send(received.text);
    });
    done();
  };
