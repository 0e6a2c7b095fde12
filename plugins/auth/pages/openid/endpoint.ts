import type { Endpoint, Exchange } from '#core/kernel/endpoint.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { countAgainst } from '#core/kernel/limits/count-against.js';
import type { PageAnswer, PageCookie } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { openidRoutes } from '../../openid/routes.js';
import signout from '../../operations/session/signout.js';
import { userSessions } from '../../sessions/check-token.js';
import { noSession, refreshTokenIn, withSession } from '../session.js';
import { visitOf, type Visit } from '../visit.js';
import { errorView, logoutView, signedOutView } from './views.js';

/** Addresses at which strangers make rows: how many per IP address and environment. */
const begins = { max: 300, windowSeconds: 600 } as const;

/** Addresses below the environment's root, with what they need to know of the browser. */
const addresses = [
  { path: '/.well-known/openid-configuration' },
  { path: '/.well-known/oauth-authorization-server' },
  { path: openidRoutes.jwks },
  { path: openidRoutes.token },
  { path: openidRoutes.userinfo },
  { path: openidRoutes.revocation },
  { path: openidRoutes.pushed_authorization_request, begins: true },
  { path: openidRoutes.authorization, begins: true, browser: true },
  { path: `${openidRoutes.authorization}/{uid}`, browser: true },
  { path: openidRoutes.end_session, browser: true },
  { path: `${openidRoutes.end_session}/confirm`, browser: true },
  { path: `${openidRoutes.end_session}/success`, browser: true },
] as const;

interface Address {
  path: string;
  begins?: boolean;
  browser?: boolean;
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
  const provider = visit.environment.archivedAt === null ? await openidProvider(services, visit.environment) : null;
  if (!provider) throw refusalOf.not_found({ thing: 'OpenID provider', lookup: 'auth.settings.get' });
  if (address.begins === true) await requireRoom(visit, exchange, services);
  const { sessionId, cookies } = address.browser === true ? await sessionOf(visit, exchange, services) : noBrowser;
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
  await provider.callback()(request, response);
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

async function requireRoom({ environment }: Visit, { page }: Exchange, services: Services): Promise<void> {
  const key = `auth.openid.begin:${environment.id}:${addressGroup(page.request.ip)}`;
  const seconds = await services.transaction('OpenID provider', ({ db, clock }) =>
    countAgainst(db, { key, ...begins, now: clock.now() }),
  );
  if (seconds > 0)
    throw refusalOf.rate_limited({ limit: '300 sign-ins at apps per 10 minutes per IP address', seconds });
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
