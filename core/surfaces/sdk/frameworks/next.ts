import type { AccessTokenClaims } from '../verify-token.js';
import { receiveEvent, type EventHandler, type ReceiverOptions } from './event-receiver.js';
import { createServerSession, type ServerSessionOptions } from './server-session.js';
import {
  createUserCheck,
  type Decision,
  type RequestFacts,
  type Requirement,
  type UserCheckOptions,
} from './user-check.js';
import {
  bodyOf,
  factsOf,
  receiverResponse,
  redirectResponse,
  refusalResponse,
  withCookies,
  type WebBody,
  type WebRequest,
} from './web.js';

/*
 * `svc-sdk/next`: the signed-in user of a request, and webhooks, in route handlers of Next.js, and in other frameworks
 * whose handlers take a Request and return a Response.
 */

export type { Requirement, UserCheckOptions } from './user-check.js';
export type { EventHandler, ReceiverOptions } from './event-receiver.js';
// Declarations of an app name them: export const POST = receiveEvents(…).
export type { WebBody, WebRequest } from './web.js';
export type { ServerSessionOptions } from './server-session.js';

/** Not when the module is loaded: `next build` loads it without the variables of production. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

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
  const check = once(() => createUserCheck(options));
  return {
    userOf: async (request) => check().find(factsOf(request)),
    requireUser:
      (handle, requirement = {}) =>
      async (request, ...rest) => {
        const decision = await check().decide(factsOf(request), requirement);
        return 'refusal' in decision ? refusalResponse(decision.refusal) : handle(request, decision.user, ...rest);
      },
  };
}

/** A request whose address is read. */
export interface PageRequest extends WebRequest {
  readonly url: string;
}

export interface ServerAuth extends SvcAuth {
  /**
   * Leads to the hosted sign-in page and back to `?returnTo=`, a path of the app: `export const GET = auth.signIn`.
   * `?email=` fills in the address. A user who is still signed in comes back at once, with a fresh access token. New
   * people sign up on the same page, so that links to sign up lead here too.
   */
  readonly signIn: (request: PageRequest) => Promise<Response>;
  /** The address that the hosted pages return to: `export const GET = auth.callback`. */
  readonly callback: (request: PageRequest) => Promise<Response>;
  /** Signs out, and leads to the start page: `export const POST = auth.signOut`. */
  readonly signOut: (request: WebRequest) => Promise<Response>;
}

/**
 * As svcAuth, and keeps the tokens in cookies that scripts cannot read. `requireUser` refreshes them and sets the
 * cookies with the handler's response, or with a Response that it throws. If it throws anything else, the next request
 * repeats the refresh and gets the same refresh token. `userOf` does not refresh.
 * Its functions throw a TypeError if an option is missing.
 */
export function serverAuth(options: ServerSessionOptions): ServerAuth {
  const session = once(() => createServerSession(options));

  /** Decides, after a refresh if no access token is valid. */
  const decide = async (
    request: RequestFacts,
    requirement: Requirement,
  ): Promise<{ readonly decision: Decision; readonly cookiesInTime: () => readonly string[] }> => {
    const { check, refresh } = session();
    const decision = await check.decide(request, requirement);
    const hasBearer = /^Bearer /i.test(request.header('authorization') ?? '');
    const hasRefused = !('user' in decision) && decision.refusal.status === 401;
    const renewed = hasRefused && !hasBearer ? await refresh(request) : null;
    const { cookiesInTime = () => [] } = renewed ?? {};
    if (!renewed?.request) return { decision, cookiesInTime };
    return { decision: await check.decide(renewed.request, requirement), cookiesInTime };
  };

  return {
    userOf: async (request) => session().check.find(factsOf(request)),
    requireUser:
      (handle, requirement = {}) =>
      async (request, ...rest) => {
        const { decision, cookiesInTime } = await decide(factsOf(request), requirement);
        if ('refusal' in decision) return withCookies(refusalResponse(decision.refusal), cookiesInTime());
        try {
          return withCookies(await handle(request, decision.user, ...rest), cookiesInTime());
        } catch (error) {
          // As some frameworks do for a redirect.
          throw error instanceof Response ? withCookies(error, cookiesInTime()) : error;
        }
      },
    signIn: async (request) => redirectResponse(await session().signIn(factsOf(request), request.url)),
    async callback(request) {
      const answer = await session().callback(factsOf(request), request.url);
      return 'location' in answer ? redirectResponse(answer) : refusalResponse(answer);
    },
    async signOut(request) {
      const redirect = await session().signOut(factsOf(request));
      return redirect ? redirectResponse(redirect) : new Response('Another site sent the request.', { status: 403 });
    },
  };
}

/** Receives webhooks: `export const POST = receiveEvents({ secret }, async (event) => …)`. */
export const receiveEvents =
  (options: ReceiverOptions, handle: EventHandler) =>
  async (request: WebBody): Promise<Response> =>
    receiverResponse(await receiveEvent(bodyOf(request), request.headers.get('svc-signature'), options, handle));
