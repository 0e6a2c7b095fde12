import { isTenant } from '#core/kernel/caller/caller.js';
import type { ReadContext } from '#core/kernel/context.js';
import { perInput, perIp, type LimitWindow, type NamedLimit } from '#core/kernel/limits/named-limit.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { parsePhone } from '#core/kernel/schema/phone.js';
import { settingsOfCall } from '../settings/load.js';
import { defaultSettings } from '../settings/defaults.js';
import type { AuthSettingsValue } from '../settings/resources.js';

type RateLimit = keyof AuthSettingsValue['rateLimits'];

/** The environment's own numbers of a limit. */
const settable = (name: RateLimit) => ({
  ...defaultSettings.rateLimits[name],
  async settings(context: ReadContext): Promise<LimitWindow> {
    const { caller } = context;
    if (!isTenant(caller)) return defaultSettings.rateLimits[name];
    return (await settingsOfCall(context, caller.environment.id)).rateLimits[name];
  },
});

const identifierOf = ({ email, phone }: { email?: string; phone?: string }): string | null => {
  if (email !== undefined) return `email:${mailboxKey(email)}`;
  if (phone === undefined) return null;
  const parsed = parsePhone(phone);
  return `phone:${parsed.ok ? parsed.number : phone}`;
};

/** Sign-ins started per address or number, by code, link and password together. */
export const startPerIdentifier: NamedLimit<{ email?: string; phone?: string }> = perInput(
  {
    name: 'auth.start.identifier',
    description: '5 in 10 minutes per address or number (rateLimits.startPerIdentifier)',
    ...settable('startPerIdentifier'),
  },
  identifierOf,
);

/** Sign-ins started, and addresses added, per IP address. */
export const startPerIp: NamedLimit = perIp({
  name: 'auth.start.ip',
  description: '30 in 10 minutes per IP address (rateLimits.startPerIp)',
  ...settable('startPerIp'),
});

/** Links completed and handoff codes exchanged per IP address, each counted on its own: one sign-in may need both. */
export const completePerIp = (name: string): NamedLimit =>
  perIp({
    name,
    description: '30 in 10 minutes per IP address (rateLimits.completePerIp)',
    ...settable('completePerIp'),
  });
