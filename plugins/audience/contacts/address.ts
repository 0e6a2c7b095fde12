import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { parsePhone } from '#core/kernel/schema/phone.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { Channel } from '../ports.js';

/**
 * An address or number in the form in which it is compared: all spellings of one mailbox or number have the same key.
 */
export function addressKey(channel: Channel, address: string): string {
  if (channel === 'email') return mailboxKey(address);
  const parsed = parsePhone(address);
  return parsed.ok ? parsed.number : address;
}

/**
 * The digest that suppressions and the consents of erased people are found by. Keyed, so that a stolen table does not
 * reveal the addresses, and bound to the environment, so that the tables of two environments cannot be compared.
 * @param key from `addressKey`
 */
export const addressDigest = (vault: Vault, environmentId: string, channel: Channel, key: string): Buffer =>
  vault.digest(`${environmentId}|${channel}|${key}`, { table: 'audience', column: 'address_digest' });
