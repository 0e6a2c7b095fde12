import type { PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { checkAccessToken, checkingOf } from '../sessions/check-token.js';
import { isOurs, parseRefreshToken } from '../sessions/refresh-token.js';
import type { SessionRow } from '../tables/session.js';
import { allowRedirect, hostedPages } from '../settings/redirects.js';
import { loadSettings } from '../settings/load.js';
import { issueHandoff } from '../signin/handoff.js';
import { returnAddress } from '../challenges/return-target.js';
import { refreshTokenIn } from './session.js';
import type { Visit } from './visit.js';

/** Whether a hosted page may lead to an address of the app, according to the current settings. */
export async function mayLeadTo(
  { database, deployment }: Pick<Services, 'database' | 'deployment'>,
  { environment }: Visit,
  address: string,
): Promise<boolean> {
  const settings = await loadSettings(database, environment.id);
  return allowRedirect(settings, address, hostedPages(deployment, environment.id));
}

/** Whether an address is one of the environment's own hosted pages, which need no handoff. */
export const isHostedPage = (
  { deployment }: Pick<Services, 'deployment'>,
  { environment }: Visit,
  address: string,
): boolean => new URL(address).href.startsWith(hostedPages(deployment, environment.id));

interface Handoff {
  page: PageRequest;
  accessToken: string;
  address: string;
  state?: string | undefined;
  codeChallenge?: string | undefined;
  operation: string;
}

/**
 * Hands the browser's session on the hosted pages over to the app: the pages forget it (noSession), and the app
 * exchanges the code for its tokens.
 * @param address checked with `mayLeadTo`
 * @param state the app's state, which is returned with the code
 * @param codeChallenge the app's PKCE challenge
 * @param operation the operation after which this happens, for the audit record
 * @returns the address with the code; null if the session has ended, or the browser has only its access token
 */
export async function handOff(
  services: Services,
  visit: Visit,
  { page, accessToken, address, state, codeChallenge, operation }: Handoff,
): Promise<string | null> {
  const { environment } = visit;
  const checked = await checkAccessToken(checkingOf(services), environment, accessToken);
  if (!checked.valid) return null;
  const { session, user } = checked;
  if (!holdsRefreshToken(services, session, refreshTokenIn(page, visit))) return null;
  return services.transaction('Hosted page', async (context) => {
    context.actIn(environment);
    context.audit({
      operation,
      subject: { type: 'session', id: session.id },
      summary: 'Handed off a session of the hosted pages to the app that the person came from.',
      personId: user.id,
    });
    const back = { redirectTo: address, appState: state ?? null };
    return issueHandoff(context, session, returnAddress(back) ?? address, codeChallenge ?? null);
  });
}

/**
 * Whether the browser holds the session's refresh token. The app gets that token for the code, so an access token alone
 * must not be enough. The cookie is one generation behind if this request refreshed the session.
 */
function holdsRefreshToken({ vault }: Services, session: SessionRow, refreshToken = ''): boolean {
  const claimed = parseRefreshToken(refreshToken);
  if (claimed?.sessionId !== session.id || !isOurs(vault, claimed, session)) return false;
  return claimed.generation >= session.generation - 1;
}
