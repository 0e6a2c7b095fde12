import type { Visit } from '../visit.js';
import type { AccountData } from './load.js';

type More = NonNullable<AccountData['more']>;

/** An identity as the page names it: the address or number, or the provider. */
export const identityName = (
  { kind, value, provider }: AccountData['me']['identities'][number],
  { oauth }: AccountData['methods'],
): string => (kind === 'oauth' ? (oauth.find((each) => each.provider === provider)?.name ?? provider) : value) ?? '';

/** A session as the page names it: browser and system. */
export const sessionName = ({ texts }: Visit, { device }: More['sessions'][number]): string =>
  [device.browser, device.os].filter((each) => each !== null).join(' · ') || texts.common.unknown;

/** Where a session was used last. */
export const sessionPlace = ({ placeOf }: Visit, { location, ip }: More['sessions'][number]): string =>
  [placeOf(ip) ?? location, ip].filter((each) => each !== null).join(' · ');
