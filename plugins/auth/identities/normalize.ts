import { mailboxKey, parseAddress } from '#core/kernel/schema/email-address.js';
import { parsePhone, phoneForms, phoneKey } from '#core/kernel/schema/phone.js';
import type { IdentityKind } from '../tables/identity.js';

/** What is proven or claimed: an address, a number, or an account at a provider. */
export interface IdentityFacts {
  kind: IdentityKind;
  /** The form used for comparison. */
  key: string;
  /** The form used for display. */
  value: string;
  /** The provider of an `oauth` identity; null for the others. */
  provider: string | null;
}

/** An address. @param email valid according to the operation's input schema */
export function emailIdentity(email: string): IdentityFacts {
  const parsed = parseAddress(email);
  return { kind: 'email', key: mailboxKey(email), value: parsed.ok ? parsed.address : email, provider: null };
}

/** A number. @param phone valid according to the operation's input schema */
export function phoneIdentity(phone: string): IdentityFacts {
  const parsed = parsePhone(phone);
  const number = parsed.ok ? parsed.number : phone;
  return { kind: 'phone', key: phoneKey(number), value: number, provider: null };
}

/** The keys that an identity's row can have: a number may have been stored by its other form before. */
export const identityKeys = ({ kind, key }: Pick<IdentityFacts, 'kind' | 'key'>): readonly string[] =>
  kind === 'phone' ? phoneForms(key) : [key];

/** An account at a provider. @param subject the provider's own id of the account */
export const oauthIdentity = (provider: string, subject: string): IdentityFacts => ({
  kind: 'oauth',
  key: `${provider}:${subject}`,
  value: `${provider}:${subject}`,
  provider,
});

/** Dots in place of hidden characters. Their number is fixed, so that it does not reveal a length. */
const dots = '•••';

/** An address in a form that its owner recognises: `a•••@example.com`. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}${dots}${address.slice(at)}`;
}

/** A number in a form that its owner recognises: `+49•••789`. */
export const maskPhone = (number: string): string => `${number.slice(0, 3)}${dots}${number.slice(-3)}`;
