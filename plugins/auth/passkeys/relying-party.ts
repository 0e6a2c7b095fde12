import type { Deployment } from '#core/kernel/deployment.js';
import type { AuthSettingsValue } from '../settings/resources.js';

/** What WebAuthn binds passkeys to. */
export interface RelyingParty {
  /** The domain. */
  id: string;
  /** The origins whose pages may use the passkeys. */
  origins: string[];
}

/** Browsers refuse an IP address as a relying party's id. A server on this machine is reached as localhost. */
const loopbackAddresses = new Set(['127.0.0.1', '[::1]']);

/**
 * The origin of a web page's address. An address that is not a web page, such as `android:apk-key-hash:…`, is returned
 * unchanged.
 */
function originOf(address: string): string {
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : address;
}

/**
 * The relying party of an environment: the setting `passkeys.rpId`, or the host of the hosted pages. Pages of svc
 * itself and of the environment's redirect addresses may use it. Browsers refuse pages that are not on the relying
 * party's domain.
 */
export function relyingParty(settings: AuthSettingsValue, { baseUrl }: Pick<Deployment, 'baseUrl'>): RelyingParty {
  const base = new URL(baseUrl);
  const onThisMachine = loopbackAddresses.has(base.hostname);
  const local = new URL(baseUrl);
  if (onThisMachine) local.hostname = 'localhost';
  return {
    id: settings.passkeys.rpId === '' ? local.hostname : settings.passkeys.rpId,
    origins: [...new Set([base.origin, local.origin, ...settings.redirectUrls.map(originOf)])],
  };
}
