import type { Visit } from '../visit.js';
import type { AccountData } from './load.js';

type More = NonNullable<AccountData['more']>;

/** The name of an identity on the page: the address or number, or the provider. */
export const identityName = (
  { kind, value, provider }: AccountData['me']['identities'][number],
  { oauth }: AccountData['methods'],
): string => (kind === 'oauth' ? (oauth.find((each) => each.provider === provider)?.name ?? provider) : value) ?? '';

/** The name of a session on the page: browser and system. */
export const sessionName = ({ texts }: Visit, { device }: More['sessions'][number]): string =>
  [device.browser, device.os].filter((each) => each !== null).join(' · ') || texts.common.unknown;

/** The place where a session was last used. */
export const sessionPlace = ({ placeOf }: Visit, { location, ip }: More['sessions'][number]): string =>
  [placeOf(ip) ?? location, ip].filter((each) => each !== null).join(' · ');
