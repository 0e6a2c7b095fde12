import { insertInto, type Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { ContactRow } from '../tables/contact.js';
import type { FormerAddressRow } from '../tables/erased.js';

/** The addresses of a contact, as they are kept once they are former ones. */
export function addressesOf(contact: ContactRow): FormerAddressRow[] {
  const { id: contactId, environmentId, emailKey, emailDigest, phone, phoneDigest } = contact;
  return [
    ...(emailDigest
      ? [{ contactId, environmentId, channel: 'email', addressDigest: emailDigest, addressKey: emailKey } as const]
      : []),
    ...(phoneDigest
      ? [{ contactId, environmentId, channel: 'sms', addressDigest: phoneDigest, addressKey: phone } as const]
      : []),
  ];
}

/** Addresses that a write takes from a contact. */
export const addressesLeft = (before: ContactRow, after: ContactRow): FormerAddressRow[] =>
  addressesOf(before).filter(
    ({ addressDigest }) => ![after.emailDigest, after.phoneDigest].some((digest) => digest?.equals(addressDigest)),
  );

/** Remembers former addresses: erasing the person later must find what was sent there, and what was said no to there holds. */
export function formerAddressStatements(rows: readonly FormerAddressRow[]): Statement[] {
  if (rows.length === 0) return [];
  const { sql, parameters } = insertInto(
    'audience_former_address',
    rows.map((row) => ({
      contact_id: idBytes(row.contactId),
      channel: Buffer.from(row.channel),
      address_digest: row.addressDigest,
      environment_id: idBytes(row.environmentId),
      address_key: row.addressKey === null ? null : Buffer.from(row.addressKey),
    })),
  );
  return [{ sql: `${sql} ON DUPLICATE KEY UPDATE address_key = VALUES(address_key)`, parameters }];
}
