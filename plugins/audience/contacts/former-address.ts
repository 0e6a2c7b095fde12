import type { Statement } from '#core/runtime/database/statement.js';
import type { ContactRow } from '../tables/contact.js';
import { formerAddresses, type FormerAddressRow } from '../tables/former-address.js';

/** The addresses of a contact, as rows of former addresses. */
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

/** The addresses that a contact no longer has after a write. */
export const addressesLost = (before: ContactRow, after: ContactRow): FormerAddressRow[] =>
  addressesOf(before).filter(
    ({ addressDigest }) => ![after.emailDigest, after.phoneDigest].some((digest) => digest?.equals(addressDigest)),
  );

/**
 * Stores former addresses: an opt-out at one stays in force, and erasing the person finds messages that were sent
 * there.
 */
export const formerAddressStatements = (rows: readonly FormerAddressRow[]): Statement[] =>
  rows.length === 0 ? [] : [formerAddresses.upsertRows(rows, ['addressKey'])];
