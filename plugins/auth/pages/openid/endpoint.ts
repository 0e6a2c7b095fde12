import type { Endpoint, Exchange } from '#core/kernel/endpoint.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { PageAnswer, PageCookie } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { openidRoutes } from '../../openid/routes.js';
import signout from '../../operations/session/signout.js';
import { userSessions } from '../../sessions/check-token.js';
import { noSession, refreshTokenIn, withSession } from '../session.js';
import { visitOf, type Visit } from '../visit.js';
import { countBegin, countCall } from './limits.js';
import { errorView, logoutView, signedOutView } from './views.js';

/**
 * Addresses below the environment's root, by who asks: `app`, which is counted; `start` of a sign-in, in a browser,
 * which is counted too; another step in a `browser`; or anybody, for documents.
 */
const addresses = [
  { path: '/.well-known/openid-configuration' },
  { path: '/.well-known/oauth-authorization-server' },
  { path: openidRoutes.jwks },
  { path: openidRoutes.token, by: 'app' },
  { path: openidRoutes.userinfo, by: 'app' },
  { path: openidRoutes.revocation, by: 'app' },
  { path: openidRoutes.pushed_authorization_request, by: 'app' },
  { path: openidRoutes.authorization, by: 'start' },
  { path: `${openidRoutes.authorization}/{uid}`, by: 'browser' },
  { path: openidRoutes.end_session, by: 'browser' },
  { path: `${openidRoutes.end_session}/confirm`, by: 'browser' },
  { path: `${openidRoutes.end_session}/success`, by: 'browser' },
] as const;

interface Address {
  path: string;
  by?: 'app' | 'start' | 'browser';
}

/** The addresses of the environments' OpenID providers (OpenID Connect Core 1.0, RFC 6749, RFC 9126, RFC 7009). */
export const openidEndpoints: readonly Endpoint[] = addresses.map((address) => ({
  path: `/auth/{environmentId}${address.path}`,
  answer: (exchange, services) => answer(address, exchange, services),
}));

async function answer(address: Address, exchange: Exchange, services: Services): Promise<void> {
  const { page, request, response } = exchange;
  const visit = await visitOf(page, services);
  // Loaded at the first request.
  const { describeRequest, openidProvider } = await import('../../openid/provider.js');
  const known = visit.environment.archivedAt === null ? await openidProvider(services, visit.environment) : null;
  if (!known) throw refusalOf.not_found({ thing: 'OpenID provider', lookup: 'auth.settings.get' });
  if (address.by === 'start') await countBegin(visit, exchange, services);
  if (address.by === 'app') await countCall(visit, exchange, known.apps, services);
  const isBrowser = address.by === 'start' || address.by === 'browser';
  const { sessionId, cookies } = isBrowser ? await sessionOf(visit, exchange, services) : noBrowser;
  exchange.setCookies(cookies);
  const shown = (view: PageAnswer): string => {
    for (const [name, value] of Object.entries({ ...view.headers })) response.setHeader(name, value);
    return view.body.toString();
  };
  describeRequest(request, {
    sessionId,
    visitor: { environment: visit.environment, request: page.request },
    logoutPage: (form) => shown(logoutView(visit, form)),
    errorPage: (status, error, description) => shown(errorView(visit, status, error, description)),
    signedOutPage: () => shown(signedOutView(visit)),
    async signOut() {
      const refreshToken = refreshTokenIn(page, visit);
      if (refreshToken === undefined) return;
      await page.call(signout, { refreshToken }, visit.options);
      exchange.setCookies(noSession(visit));
    },
  });
  withBaseUrl(exchange, visit, services);
  await known.provider.callback()(request, response);
}

const noBrowser: { sessionId: null; cookies: readonly PageCookie[] } = { sessionId: null, cookies: [] };

/** The live session that the browser is signed in with, refreshed if its access token has expired. */
async function sessionOf(
  visit: Visit,
  { page }: Exchange,
  services: Services,
): Promise<{ sessionId: string | null; cookies: readonly PageCookie[] }> {
  const sessions = userSessions(services);
  const found = await withSession(page, visit, services, async ({ accessToken }) => {
    const session = await sessions.findUserSession?.(accessToken, visit.environment);
    if (!session) throw refusalOf.token_invalid();
    return session.sessionFamilyId;
  });
  return 'ended' in found
    ? { sessionId: null, cookies: found.ended }
    : { sessionId: found.done, cookies: found.session.cookies };
}

/** The library makes its addresses from the request: they are those of SVC_BASE_URL, whatever a proxy has changed. */
function withBaseUrl({ request }: Exchange, { root }: Visit, { deployment }: Services): void {
  const { protocol, host } = new URL(deployment.baseUrl);
  delete request.headers['x-forwarded-host'];
  request.headers.host = host;
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  const url = request.url ?? '/';
  const mounted = { originalUrl: url };
  Object.assign(request, mounted);
  request.url = url.slice(root.length);
}
