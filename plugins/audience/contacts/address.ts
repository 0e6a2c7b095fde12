import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { parsePhone, phoneForms, phoneKey } from '#core/kernel/schema/phone.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { Channel } from '../ports.js';

/**
 * An address or number in the form in which it is stored: all spellings of one mailbox or number have the same key. Two
 * numbers that reach one phone may be stored in both forms, so look numbers up by `addressKeys`.
 */
export function addressKey(channel: Channel, address: string): string {
  if (channel === 'email') return mailboxKey(address);
  const parsed = parsePhone(address);
  return parsed.ok ? parsed.number : address;
}

/** Every key that rows about an address or a number can have. */
export const addressKeys = (channel: Channel, address: string): readonly string[] =>
  channel === 'email' ? [mailboxKey(address)] : phoneForms(addressKey('sms', address));

/**
 * The digest that suppressions and the consents of erased people are found by. Keyed, so that a stolen table does not
 * reveal the addresses, and bound to the environment, so that the tables of two environments cannot be compared. All
 * numbers that reach one phone have one digest.
 * @param key from `addressKey`
 */
export const addressDigest = (vault: Vault, environmentId: string, channel: Channel, key: string): Buffer =>
  digestOfForm(vault, environmentId, channel, channel === 'sms' ? phoneKey(key) : key);

const digestOfForm = (vault: Vault, environmentId: string, channel: Channel, form: string): Buffer =>
  vault.digest(`${environmentId}|${channel}|${form}`, { table: 'audience', column: 'address_digest' });

/** The digests that rows about an address can have: first its own, then those of rows stored by other forms before. */
export const addressDigests = (vault: Vault, environmentId: string, channel: Channel, address: string): Buffer[] =>
  addressKeys(channel, address).map((form) => digestOfForm(vault, environmentId, channel, form));
