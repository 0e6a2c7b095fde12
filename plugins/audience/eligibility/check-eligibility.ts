import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { SendPurpose, Eligibility } from '../ports.js';
import { addressDigest, addressKey } from '../contacts/address.js';
import { subscribed, suppressed } from './conditions.js';

interface JudgedColumns {
  position: number;
  contact_id: Buffer | null;
  is_suppressed: number;
  is_subscribed: number;
}

/**
 * May these addresses be sent this, now? Suppressions hold for every message; without a topic nothing else is asked.
 * @returns one verdict for each address, in their order
 */
export async function judge(
  { db, vault }: { db: Session; vault: Vault },
  environmentId: string,
  { channel, topic }: SendPurpose,
  addresses: readonly string[],
): Promise<Eligibility[]> {
  if (addresses.length === 0) return [];
  const keys = addresses.map((address) => addressKey(channel, address));
  const asked = keys.map((key, position) => [
    position,
    Buffer.from(key),
    addressDigest(vault, environmentId, channel, key),
  ]);
  const isSuppressed = suppressed(environmentId, channel, 'a.digest');
  const isSubscribed =
    topic === null ? { sql: '1', parameters: [] } : subscribed(environmentId, { channel, topic }, 'c.id');
  const rows = await db.rows<JudgedColumns>(
    `SELECT a.position, c.id AS contact_id, ${isSuppressed.sql} AS is_suppressed, (${isSubscribed.sql}) AS is_subscribed
     FROM (${asked.map(() => 'SELECT ? AS position, ? AS address_key, ? AS digest').join(' UNION ALL ')}) a
     LEFT JOIN audience_contact c ON c.environment_id = ? AND c.${channel === 'email' ? 'email_key' : 'phone'} = a.address_key`,
    [...isSuppressed.parameters, ...isSubscribed.parameters, ...asked.flat(), idBytes(environmentId)],
  );
  const found = new Map(rows.map((row) => [row.position, row]));
  return addresses.map((address, position) => {
    const row = found.get(position);
    return {
      address,
      contactId: row?.contact_id ? idText(row.contact_id) : null,
      blockReason: row?.is_suppressed === 1 ? 'suppressed_recipient' : row?.is_subscribed === 1 ? null : 'no_consent',
    };
  });
}
