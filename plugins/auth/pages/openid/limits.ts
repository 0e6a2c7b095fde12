import type { Exchange } from '#core/kernel/endpoint.js';
import { commonErrors } from '#core/kernel/errors/common.js';
import { makeError } from '#core/kernel/errors/errors.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { countAgainst } from '#core/kernel/limits/count-against.js';
import type { Services } from '#core/kernel/services.js';
import type { Apps } from '../../settings/apps.js';
import type { Visit } from '../visit.js';

/** Sign-ins that browsers start: strangers make rows with them. */
const begins = { max: 300, windowSeconds: 600, description: '300 sign-ins at apps per 10 minutes per IP address' };

/**
 * Requests of apps: as many as a key may make. An app's server makes those of all its users from one IP address. They
 * are counted for both together, so nobody else can use up what an app has.
 */
const calls = { max: 600, windowSeconds: 60, description: '600 requests a minute per app and IP address' };

/** Counts a request that begins a sign-in. @throws rate_limited */
export const countBegin = (visit: Visit, exchange: Exchange, services: Services): Promise<void> =>
  count(`auth.openid.begin:${callerOf(visit, exchange)}`, begins, services);

/** Counts a request of an app. @throws rate_limited */
export const countCall = (visit: Visit, exchange: Exchange, apps: Apps, services: Services): Promise<void> => {
  // Requests of unknown apps, and those with only a token, are counted together.
  const named = appIdIn(exchange);
  const app = named !== null && Object.hasOwn(apps, named) ? named : '';
  return count(`auth.openid.call:${callerOf(visit, exchange)}:${app}`, calls, services);
};

const callerOf = ({ environment }: Visit, { page }: Exchange): string =>
  `${environment.id}:${addressGroup(page.request.ip)}`;

async function count(key: string, limit: typeof calls, services: Services): Promise<void> {
  const { description, ...window } = limit;
  const seconds = await services.transaction('OpenID provider', ({ db, clock }) =>
    countAgainst(db, { key, ...window, now: clock.now() }),
  );
  // Libraries of apps do not know svc's details, but they read Retry-After.
  if (seconds > 0) throw makeError('rate_limited', commonErrors.rate_limited, { limit: description, seconds }, seconds);
}

/** The `client_id` that a request claims, in the header or the form (RFC 6749 section 2.3.1). */
function appIdIn({ request }: Exchange): string | null {
  const [, basic] = /^basic ([a-z0-9+/=_-]+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (basic === undefined) return new URLSearchParams(request.body.toString('utf8')).get('client_id');
  const [name = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':');
  return new URLSearchParams(`id=${name}`).get('id');
}
