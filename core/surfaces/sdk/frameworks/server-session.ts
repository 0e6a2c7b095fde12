import { baseUrlOf } from '../base-url.js';
import { Svc } from '../client.js';
import { isSvcError } from '../errors.js';
import { bindSignIn, returnedCode, SignInNotStartedHere, signInUrl } from '../sign-in.js';
import { claimsIn, hasEnded, type SessionTokens } from '../user-session.js';
import { startedSignIns } from './started-sign-ins.js';
import {
  cookieIn,
  createUserCheck,
  isOwnOrigin,
  type RequestFacts,
  type UserCheck,
  type UserCheckOptions,
} from './user-check.js';

/*
 * Sessions whose tokens never reach a script: they are in cookies that are HttpOnly, and the app's server signs in,
 * refreshes and signs out (“backend for frontend”). Nothing is stored on the server: the cookie of the refresh token
 * also has the Idempotency-Key of its refresh. Requests that refresh at the same time get the same tokens, and if the
 * answer is lost, the next request repeats the call.
 */

export interface ServerSessionOptions extends Omit<UserCheckOptions, 'cookie'> {
  /** A publishable key of the environment. */
  readonly publishableKey: string | undefined;
  /** The app's own address: `https://app.example.com`. */
  readonly appUrl: string | undefined;
  /** The path that the hosted pages return to, which redirectUrls must contain. Default: `/callback`. */
  readonly callbackPath?: string | undefined;
  /** The path that starts a sign-in. Default: `/signin`. */
  readonly signInPath?: string | undefined;
}

/** A page for a person who must wait before the sign-in can go on. */
export interface WaitPage {
  readonly status: 429;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A redirect with cookies. */
export interface Redirect {
  readonly location: string;
  readonly cookies: readonly string[];
}

export interface ServerSession {
  /** Checks the access token in the header Authorization, or in the session's cookie. */
  readonly check: UserCheck;
  /**
   * Leads to the hosted sign-in page, and then to the path in the query field `returnTo`, or to the start page if that
   * has more than 2,000 characters. The field `email` fills in
   * the address. A user who is still signed in gets a fresh access token.
   */
  signIn(request: RequestFacts, address: string): Promise<Redirect>;
  /**
   * Exchanges the code that the hosted pages return with. While the server refuses further calls, it answers with a
   * page, and keeps the sign-in: reloading the page exchanges the code.
   */
  callback(request: RequestFacts, address: string): Promise<Redirect | WaitPage>;
  /** Ends the session. @returns null if another site sent the request */
  signOut(request: RequestFacts): Promise<Redirect | null>;
  /**
   * Refreshes the tokens of a request.
   * @returns null if the request has no refresh token
   * @throws SvcError if the server cannot be reached; Error if the new access token is not valid here: each request
   *   would refresh again, and a sign-in would lead back and forth
   */
  refresh(request: RequestFacts): Promise<Refreshed | null>;
}

export interface Refreshed {
  /** The request with its new access token; null if the session has ended. */
  readonly request: RequestFacts | null;
  /** To be sent with the response. If they are lost, the next request with the same cookies refreshes again. */
  readonly cookies: readonly string[];
  /**
   * The cookies, while another request with the old ones would get the same tokens; then none. They could replace later
   * tokens in the browser, and using a spent token ends the session.
   */
  cookiesInTime(): readonly string[];
}

/** As long as the hosted pages keep a sign-in. */
const signInSeconds = 30 * 60;

/** The server answers a repeat of a refresh with the same tokens for 30 seconds. The rest is for the way back. */
const sameTokensMs = 25_000;

/** Limit of one attempt to end the session on the server. */
const signOutTimeoutMs = 5_000;

/** A person waits for each of the calls, so a call is not repeated later than this. */
const maxWaitMs = 5_000;

/** Codes of a sign-in that the person can start again. */
const codesOfSignIn = ['code_invalid', 'code_used', 'code_expired', 'session_revoked'];

/** @throws TypeError if an option is missing */
export function createServerSession(options: ServerSessionOptions): ServerSession {
  const { callbackPath = '/callback', signInPath = '/signin', now = Date.now } = options;
  const needed = (name: 'environmentId' | 'publishableKey' | 'appUrl'): string => {
    const value = options[name];
    if (!value) throw new TypeError(`serverAuth() needs ${name}.`);
    return value;
  };
  const [environmentId, apiKey] = [needed('environmentId'), needed('publishableKey')];
  const baseUrl = baseUrlOf(options, 'serverAuth()');
  const svc = new Svc({ baseUrl, apiKey, maxWaitMs });
  const { origin, protocol } = new URL(needed('appUrl'));
  const isSecure = protocol === 'https:';
  // Not the names of the hosted pages: on one's own machine they have the same host, and cookies are for all ports.
  const prefix = isSecure ? '__Host-svc_app_' : 'svc_app_';
  // With the environment, so that one host can have sessions of several, such as live and test.
  const nameOf = (part: string): string => `${prefix}${part}_${environmentId}`;
  const names = { access: nameOf('access'), refresh: nameOf('refresh') };
  const started = startedSignIns(nameOf('signin'), now);
  const check = createUserCheck({ ...options, cookie: names.access });

  const setCookie = (name: string, value: string, seconds: number): string => {
    // Browsers drop larger cookies (RFC 6265 section 6.1), and the person would be sent to sign in again and again.
    if (name.length + value.length > 4_000)
      throw new Error(
        `The cookie ${name} is too large: reduce the setting \`claims\`, or the metadata that it copies.`,
      );
    const age = `Max-Age=${Math.max(0, Math.floor(seconds))}`;
    return [`${name}=${value}`, 'HttpOnly', 'SameSite=Lax', 'Path=/', age, ...(isSecure ? ['Secure'] : [])].join('; ');
  };
  const read = (request: RequestFacts, name: string): string | undefined => cookieIn(request.header('cookie'), name);
  const tokenCookies = async (tokens: SessionTokens): Promise<string[]> => {
    // By the clock of svc, which made all of these times: by a clock that is ahead, the cookies would expire at once.
    const secondsUntil = (time: string): number => (Date.parse(time) - issuedAt(tokens, now)) / 1000;
    const refresh = `${tokens.refreshToken}.${await refreshKeyFor(tokens)}`;
    return [
      setCookie(names.access, tokens.accessToken, secondsUntil(tokens.accessTokenExpiresAt)),
      setCookie(names.refresh, refresh, secondsUntil(tokens.refreshTokenExpiresAt)),
    ];
  };
  /** The refresh token of a request, and the key of its refresh. */
  const keptRefresh = (request: RequestFacts): { refreshToken: string; idempotencyKey: string } | null => {
    const [refreshToken, idempotencyKey] = (read(request, names.refresh) ?? '').split('.');
    return refreshToken && idempotencyKey ? { refreshToken, idempotencyKey } : null;
  };
  const noTokens = (): string[] => [setCookie(names.access, '', 0), setCookie(names.refresh, '', 0)];

  /** An address of the app itself: other origins are replaced by its start page. */
  const inApp = (path: string | null | undefined): string => {
    const target = URL.canParse(path ?? '/', origin) ? new URL(path ?? '/', origin) : null;
    return target?.origin === origin ? target.href : `${origin}/`;
  };

  /** The request with its new access token. @throws Error if the token is not valid here */
  const renewed = async (request: RequestFacts, tokens: SessionTokens): Promise<RequestFacts> => {
    const headers = new Map([
      ['cookie', `${names.access}=${tokens.accessToken}`],
      ['authorization', ''],
    ]);
    const found = { ...request, header: (name: string) => headers.get(name) ?? request.header(name) };
    const decision = await check.decide({ ...found, method: 'GET' }, {});
    if ('user' in decision) return found;
    const { reason = 'malformed' } = decision.rejected ?? {};
    const seconds = Math.floor((now() - issuedAt(tokens, now)) / 1000);
    throw new Error(
      reason === 'expired'
        ? `svc has just issued this access token, and it has expired here: the clock of this server differs from that of svc by ${seconds} s. Set the clock of this server, for example with NTP.`
        : `svc has just issued this access token, and it is not valid here: ${reason}. Check that environmentId is the environment of publishableKey, and that baseUrl is the server’s own address.`,
    );
  };

  const refresh = async (request: RequestFacts): Promise<Refreshed | null> => {
    const kept = keptRefresh(request);
    if (!kept) return null;
    const { refreshToken, idempotencyKey } = kept;
    const askedAt = now();
    try {
      const { result, replayed } = await svc.envelope('auth.session.refresh', { refreshToken }, { idempotencyKey });
      // A stored answer is from an earlier request. If the clocks differ, it counts as too old rather than as new.
      const madeAt = replayed ? Math.min(askedAt, issuedAt(result.tokens, now)) : askedAt;
      const cookies = await tokenCookies(result.tokens);
      const cookiesInTime = (): readonly string[] => (now() - madeAt < sameTokensMs ? cookies : []);
      return { request: await renewed(request, result.tokens), cookies, cookiesInTime };
    } catch (error) {
      if (hasEnded(error)) return { request: null, cookies: noTokens(), cookiesInTime: noTokens };
      throw error;
    }
  };

  return {
    check,
    refresh,
    async signIn(request, address) {
      const query = new URL(address, origin).searchParams;
      const returnTo = inApp(query.get('returnTo'));
      const email = query.get('email') ?? undefined;
      const refreshed = await refresh(request);
      if (refreshed?.request) return { location: returnTo, cookies: refreshed.cookies };
      const { state, codeVerifier, codeChallenge } = await bindSignIn();
      const redirectTo = `${origin}${callbackPath}`;
      const kept = started.start(request.header('cookie'), { state, codeVerifier, returnTo }, `${origin}/`);
      return {
        location: signInUrl({ baseUrl, environmentId, redirectTo, binding: { state, codeChallenge }, email }),
        cookies: [
          ...(refreshed?.cookies ?? []),
          ...kept.replaces.map((name) => setCookie(name, '', 0)),
          setCookie(kept.name, kept.value, signInSeconds),
        ],
      };
    },
    async callback(request, address) {
      const { searchParams } = new URL(address, origin);
      const kept = started.find(request.header('cookie'), searchParams.get('state'));
      // Those with another state go on in their own tabs.
      const done = kept ? [setCookie(kept.name, '', 0)] : [];
      try {
        const { tokens } = await svc.auth.session.exchange(returnedCode(address, kept));
        return { location: inApp(kept?.returnTo), cookies: [...done, ...(await tokenCookies(tokens))] };
      } catch (error) {
        if (isSvcError(error) && error.code === 'rate_limited') return waitPage(error.retryAfter);
        const canStartAgain = isSvcError(error) && codesOfSignIn.includes(error.code);
        if (!canStartAgain && !(error instanceof SignInNotStartedHere)) throw error;
        // Another browser, an address that was opened twice, or a code that has expired: the person starts again.
        const query = kept ? `?${new URLSearchParams({ returnTo: inApp(kept.returnTo) }).toString()}` : '';
        return { location: `${origin}${signInPath}${query}`, cookies: done };
      }
    },
    async signOut(request) {
      if (!isOwnOrigin(request)) return null;
      const kept = keptRefresh(request);
      if (kept)
        // The browser is signed out even if the server is away.
        await svc.auth.session
          .signout({ refreshToken: kept.refreshToken }, { timeoutMs: signOutTimeoutMs })
          .catch(() => undefined);
      return { location: `${origin}/`, cookies: noTokens() };
    },
  };
}

function waitPage(seconds = 10): WaitPage {
  const text = `Too many people are signing in at the moment. Wait ${seconds} s, then reload this page.`;
  return {
    status: 429,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': String(seconds),
    },
    body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Wait</title><p>${text}</p></html>`,
  };
}

/** When tokens were issued, in milliseconds since 1970 by the clock of svc. */
function issuedAt({ accessToken }: SessionTokens, now: () => number): number {
  const { iat } = claimsIn(accessToken);
  return typeof iat === 'number' ? iat * 1000 : now();
}

/**
 * The Idempotency-Key for refreshing these tokens. Requests that refresh together get the same reply, so their cookies
 * are the same, in whichever order they arrive. Nobody can derive it from the refresh token alone.
 */
async function refreshKeyFor({ accessToken }: SessionTokens): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`refresh ${accessToken}`));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
