import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { parsePhone } from '#core/kernel/schema/phone.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { Channel } from '../ports.js';

/** An address or number as it is compared: two spellings of one mailbox or line are one. */
export function addressKey(channel: Channel, address: string): string {
  if (channel === 'email') return mailboxKey(address);
  const parsed = parsePhone(address);
  return parsed.ok ? parsed.number : address;
}

/**
 * What suppressions, and erased people's consents, find an address by: keyed, so that a stolen table does not tell whose they are, and
 * bound to the environment, so that two environments' tables cannot be laid beside each other.
 * @param key the address as `addressKey` makes it
 */
export const addressDigest = (vault: Vault, environmentId: string, channel: Channel, key: string): Buffer =>
  vault.digest(`${environmentId}|${channel}|${key}`, { table: 'audience', column: 'address_digest' });
