import { baseUrlOf } from '../base-url.js';
import { createTokenVerifier, TokenRejected, type AccessTokenClaims, type VerifierOptions } from '../verify-token.js';

/* Finds out who sends a request. The entry points of the frameworks only read requests and write responses. */

export interface UserCheckOptions extends Pick<VerifierOptions, 'fetch' | 'cacheMs' | 'toleranceMs' | 'now'> {
  /** The server's address, which is the tokens' issuer: `https://svc.example.com`. Default: see SvcOptions. */
  readonly baseUrl?: string | undefined;
  readonly environmentId: string | undefined;
  /**
   * A cookie with the access token, for requests without the header Authorization. It must be HttpOnly and SameSite.
   * Requests that change something are then accepted only from the app's own origin. Default: no cookie is read.
   */
  readonly cookie?: string | undefined;
}

/** What a user needs beside an access token. The claims state it as of the last refresh or switch. */
export interface Requirement {
  /** An active organization; a text is the id of the only one that is accepted. */
  readonly organization?: true | string | undefined;
  /** One of these roles in the active organization. */
  readonly roles?: readonly string[] | undefined;
}

/** The part of a request that is read. */
export interface RequestFacts {
  readonly method: string;
  /** A header's value by its lower-case name. */
  header(name: string): string | null | undefined;
}

/** The response to a request that is not accepted: RFC 6750 section 3. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `rejected` if the access token is not valid. */
export type Decision =
  { readonly user: AccessTokenClaims } | { readonly refusal: Refusal; readonly rejected?: TokenRejected };

export interface UserCheck {
  /** The user of a request; null without a valid access token. @throws as `decide` */
  find(request: RequestFacts): Promise<AccessTokenClaims | null>;
  /**
   * @throws Error if the signing keys cannot be fetched, or tokens name another issuer than baseUrl; TypeError if
   *   baseUrl is missing
   */
  decide(request: RequestFacts, requirement: Requirement): Promise<Decision>;
}

/** @throws TypeError without an environment, or without the server's address */
export function createUserCheck({ cookie, environmentId, ...options }: UserCheckOptions): UserCheck {
  if (!environmentId) throw new TypeError('svcAuth() needs environmentId, the id of the environment of your users.');
  const verify = createTokenVerifier({ ...options, baseUrl: baseUrlOf(options, 'svcAuth()'), environmentId });

  const userOf = async (token: string): Promise<AccessTokenClaims | TokenRejected> => {
    try {
      return await verify(token);
    } catch (error) {
      if (!(error instanceof TokenRejected)) throw error;
      // The signature is right, so the token is genuine: with this setting nobody would ever be signed in.
      if (error.reason === 'wrong_issuer')
        throw new Error('baseUrl must be the server’s SVC_BASE_URL, which access tokens name as their issuer.');
      return error;
    }
  };

  const decide = async (request: RequestFacts, requirement: Requirement): Promise<Decision> => {
    const bearer = /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1];
    const token = bearer ?? (cookie === undefined ? undefined : cookieIn(request.header('cookie'), cookie));
    // Without a code: the request shows no credentials (RFC 6750 section 3.1).
    if (token === undefined) return refuse(401, undefined, 'Sign in first.');
    if (bearer === undefined && !isRead(request) && !isOwnOrigin(request))
      return refuse(403, 'cross_site', 'Another site sent the request.');
    const user = await userOf(token);
    if (user instanceof TokenRejected) return { ...refuse(401, 'invalid_token', user.message), rejected: user };
    const lacking = lackOf(user, requirement);
    return lacking === undefined ? { user } : refuse(403, 'insufficient_scope', lacking);
  };

  return {
    decide,
    async find(request) {
      const decision = await decide(request, {});
      return 'user' in decision ? decision.user : null;
    },
  };
}

function lackOf({ org_id, org_role }: AccessTokenClaims, { organization, roles }: Requirement): string | undefined {
  if (org_id === undefined && (organization !== undefined || roles)) return 'Switch to an organization first.';
  if (typeof organization === 'string' && org_id !== organization) return 'Switch to the organization first.';
  if (roles && !roles.includes(org_role ?? '')) return 'The user has none of the required roles.';
  return undefined;
}

function refuse(status: 401 | 403, error: string | undefined, description: string): { readonly refusal: Refusal } {
  const code = error === undefined ? '' : ` error="${error}", error_description="${description}"`;
  return {
    refusal: {
      status,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
        // Credentials would not help a request of another site.
        ...(error === 'cross_site' ? {} : { 'WWW-Authenticate': `Bearer${code}` }),
      },
      body: JSON.stringify({ error: error ?? 'unauthenticated', error_description: description }),
    },
  };
}

/** A cookie's value in the header Cookie. */
export const cookieIn = (header: string | null | undefined, name: string): string | undefined =>
  (header ?? '')
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${name}=`))
    ?.slice(name.length + 1);

const isRead = ({ method }: RequestFacts): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);

/** Browsers send cookies with requests that other sites cause. Other clients send neither header. */
export function isOwnOrigin({ header }: RequestFacts): boolean {
  const site = header('sec-fetch-site');
  if (site) return site === 'same-origin' || site === 'none';
  const origin = header('origin');
  return !origin || origin.replace(/^https?:\/\//, '') === header('host');
}
