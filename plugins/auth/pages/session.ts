import { SvcError } from '#core/kernel/errors/errors.js';
import type { PageCookie, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import refresh from '../operations/session/refresh.js';
import { derivedKeyPrefix } from '../sessions/refresh-token.js';
import type { TokensValue } from '../sessions/resources.js';
import { newRepeatKey } from './one-answer.js';
import type { Visit } from './visit.js';

/*
 * The hosted pages' session in a browser: its tokens are in two cookies, which scripts cannot read. Their names contain
 * the environment, so that one browser can be signed in to several. The refresh token's cookie also has the key of its
 * refresh (`repeatKey`), so that all tabs, and the next visit after an answer was lost, repeat the same call.
 */

const accessCookie = ({ environment }: Visit): string => `svc_access_${environment.id}`;
const refreshCookie = ({ environment }: Visit): string => `svc_refresh_${environment.id}`;

/** Refresh shortly before the access token expires, so that it does not expire while the page is being built. */
const spareSeconds = 10;

/** Cookies that store a session's tokens. */
export function sessionCookies(visit: Visit, tokens: TokensValue, now: Date): PageCookie[] {
  const secondsUntil = (time: string): number => (Date.parse(time) - now.getTime()) / 1000;
  return [
    {
      name: accessCookie(visit),
      value: tokens.accessToken,
      maxAgeSeconds: secondsUntil(tokens.accessTokenExpiresAt) - spareSeconds,
    },
    {
      name: refreshCookie(visit),
      value: `${tokens.refreshToken}.${newRepeatKey()}`,
      maxAgeSeconds: secondsUntil(tokens.refreshTokenExpiresAt),
    },
  ];
}

/** Cookies that remove a session. */
export const noSession = (visit: Visit): PageCookie[] => [
  { name: accessCookie(visit), value: '', maxAgeSeconds: 0 },
  { name: refreshCookie(visit), value: '', maxAgeSeconds: 0 },
];

/** The refresh token of the browser's session; undefined if it has none. */
export const refreshTokenIn = (page: PageRequest, visit: Visit): string | undefined =>
  keptIn(page, visit)?.refreshToken;

function keptIn(page: PageRequest, visit: Visit): { refreshToken: string; repeatKey: string } | undefined {
  const [refreshToken = '', key = ''] = (page.cookies.get(refreshCookie(visit)) ?? '').split('.');
  if (refreshToken === '') return undefined;
  // A cookie of an earlier version has no key: its tabs take one that they all can derive.
  const derived = (): string => `${derivedKeyPrefix}${sha256(refreshToken).toString('hex')}`;
  return { refreshToken, repeatKey: /^[\w-]{16,64}$/.test(key) ? key : derived() };
}

interface PageSession {
  accessToken: string;
  /** To set with the answer: new tokens, if the old ones were refreshed. */
  cookies: PageCookie[];
}

/**
 * The browser's session, refreshed if its access token has expired. Two tabs that do this at the same time get tokens
 * of the same refresh: the second one waits for the first, and is recognised as its repeat.
 * @param renew refreshes it although the browser still has an access token, because that token was refused
 * @returns null if the browser is not signed in
 */
export async function pageSession(
  page: PageRequest,
  visit: Visit,
  services: Services,
  { renew = false }: { renew?: boolean } = {},
): Promise<PageSession | null> {
  const accessToken = page.cookies.get(accessCookie(visit));
  if (accessToken && !renew) return { accessToken, cookies: [] };
  const tokens = await refreshed(page, visit);
  return tokens && { accessToken: tokens.accessToken, cookies: sessionCookies(visit, tokens, services.clock.now()) };
}

/** Codes that mean that the session is no longer valid. */
export const signedOut: readonly string[] = ['token_invalid', 'user_banned'];

/**
 * Does something with the browser's session. If its access token is refused although the session may continue, such as
 * after its signing key was retired, the session is refreshed once and the work is done again.
 * @param work throws token_invalid only before it has changed anything: each call checks the token first
 * @returns what the work returned and the session that it used; if there is none, or it has ended, the cookies that
 * remove it
 * @throws what the work throws, except for `signedOut`
 */
export async function withSession<T>(
  page: PageRequest,
  visit: Visit,
  services: Services,
  work: (session: PageSession) => Promise<T>,
): Promise<{ done: T; session: PageSession } | { ended: PageCookie[] }> {
  const first = await pageSession(page, visit, services);
  if (!first) return { ended: [] };
  let session = first;
  for (;;)
    try {
      return { done: await work(session), session };
    } catch (error) {
      if (!(error instanceof SvcError) || !signedOut.includes(error.code)) throw error;
      // A session that was just refreshed has the best token that it can have.
      const canRenew = error.code === 'token_invalid' && session.cookies.length === 0;
      const renewed = canRenew ? await pageSession(page, visit, services, { renew: true }) : null;
      if (!renewed) return { ended: noSession(visit) };
      session = renewed;
    }
}

async function refreshed(page: PageRequest, visit: Visit): Promise<TokensValue | null> {
  const kept = keptIn(page, visit);
  if (!kept) return null;
  const { refreshToken, repeatKey } = kept;
  try {
    return (await page.call(refresh, { refreshToken }, { ...visit.options, repeatKey })).tokens;
  } catch (error) {
    if (error instanceof SvcError && (error.status === 401 || error.status === 403)) return null;
    throw error;
  }
}
