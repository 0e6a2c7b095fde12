import { isTenant } from '#core/kernel/caller/caller.js';
import type { ReadContext } from '#core/kernel/context.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { perInput, perIp, type LimitWindow, type NamedLimit } from '#core/kernel/limits/named-limit.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { recipientKey } from '#core/kernel/schema/recipient-key.js';
import { parsePhone, phoneKey } from '#core/kernel/schema/phone.js';
import { settingsOfCall } from '../settings/load.js';
import { defaultSettings, type AuthSettingsValue } from '../settings/resources.js';

type RateLimit = keyof AuthSettingsValue['rateLimits'];

/** The environment's own values for a limit. @param times how many times the setting's value it allows */
const settable = (name: RateLimit, times = 1) => {
  const allowed = ({ max, windowSeconds }: LimitWindow): LimitWindow => ({ max: max * times, windowSeconds });
  return {
    ...allowed(defaultSettings.rateLimits[name]),
    async settings(context: ReadContext): Promise<LimitWindow> {
      const { caller } = context;
      if (!isTenant(caller)) return allowed(defaultSettings.rateLimits[name]);
      return allowed((await settingsOfCall(context, caller.environment.id)).rateLimits[name]);
    },
  };
};

interface Identified {
  email?: string;
  phone?: string;
}

const identifierOf = ({ email, phone }: Identified): string | null => {
  if (email !== undefined) return `email:${mailboxKey(email)}`;
  if (phone === undefined) return null;
  const parsed = parsePhone(phone);
  return `phone:${parsed.ok ? phoneKey(parsed.number) : phone}`;
};

/**
 * Sign-ins started, and addresses and numbers added, per address or number from one IP address: codes, links and
 * passwords together. It counts the combination of both, so that nobody can prevent a person from signing in elsewhere.
 */
export const startPerIdentifier: NamedLimit<Identified> = {
  name: 'auth.start.identifier',
  description: '5 in 10 minutes per address or number and IP address (rateLimits.startPerIdentifier)',
  ...settable('startPerIdentifier'),
  by({ caller, input }) {
    const identifier = identifierOf(input);
    const environmentId = isTenant(caller) ? caller.environment.id : '';
    return identifier === null ? null : `input:${environmentId}:${identifier}|${addressGroup(caller.request.ip)}`;
  },
};

/** The mailbox or phone that a code or link reaches, however its address is written. */
const recipientOf = (input: Identified): string | null =>
  input.email === undefined ? identifierOf(input) : `mailbox:${recipientKey(input.email)}`;

/**
 * Codes and links to one mailbox from one IP address: an address with a tag or with other dots is the same mailbox.
 * Passwords are counted by address alone, because they send nothing.
 */
export const startPerMailbox: NamedLimit<Identified> = {
  name: 'auth.start.mailbox',
  description: '5 in 10 minutes per mailbox and IP address (rateLimits.startPerIdentifier)',
  ...settable('startPerIdentifier'),
  by({ caller, input }) {
    const recipient = input.email === undefined ? null : recipientOf(input);
    const environmentId = isTenant(caller) ? caller.environment.id : '';
    return recipient === null ? null : `input:${environmentId}:${recipient}|${addressGroup(caller.request.ip)}`;
  },
};

/** How many times higher the limit for all IP addresses together is. */
const everywhere = 4;

/**
 * Codes and links per mailbox or phone from all IP addresses together. Passwords are counted separately, so that
 * neither uses up the other's limit.
 */
export const startEverywhere: NamedLimit<Identified> = perInput(
  {
    name: 'auth.start.everywhere',
    description: '20 in 10 minutes per mailbox or number, from all IP addresses together',
    ...settable('startPerIdentifier', everywhere),
  },
  recipientOf,
);

/** The same for passwords. */
export const passwordEverywhere: NamedLimit<Identified> = perInput(
  {
    name: 'auth.password.everywhere',
    description: '20 in 10 minutes per address, from all IP addresses together',
    ...settable('startPerIdentifier', everywhere),
  },
  identifierOf,
);

/** Sign-ins started, and addresses and numbers added, per IP address. */
export const startPerIp: NamedLimit = perIp({
  name: 'auth.start.ip',
  description: '30 in 10 minutes per IP address (rateLimits.startPerIp)',
  ...settable('startPerIp'),
});

/** Links completed per IP address. */
export const completePerIp: NamedLimit = perIp({
  name: 'auth.link.complete',
  description: '30 in 10 minutes per IP address (rateLimits.completePerIp)',
  ...settable('completePerIp'),
});

/**
 * Invalid handoff codes per IP address. A right code is never refused: apps exchange the codes of all their users at
 * one server with one IP address, and anyone can send it codes. Nobody can guess one of 256 bits.
 */
export const invalidCodesPerIp: NamedLimit = {
  ...perIp({
    name: 'auth.session.exchange',
    description: '30 invalid codes in 10 minutes per IP address (rateLimits.completePerIp)',
    ...settable('completePerIp'),
  }),
  refusedWith: ['code_invalid'],
};
