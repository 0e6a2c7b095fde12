import type { AddressCheck } from '#core/kernel/erasure/person.js';
import type { Session } from '#core/runtime/database/session.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { Channel } from '../ports.js';
import type { ContactRow } from '../tables/contact.js';
import { addressKey } from './address.js';
import { addressesOf, formerAddressStatements } from './former-address.js';
import type { Context } from '#core/kernel/context.js';

/** Addresses of the person that other products' rows may hold. */
export interface Addresses {
  email: string | null;
  phone: string | null;
}

/** Was this contact of the environment erased before? */
export async function wasErased(db: Session, environmentId: string, contactId: string): Promise<boolean> {
  const rows = await db.rows('SELECT contact_id FROM audience_erased WHERE contact_id = ? AND environment_id = ?', [
    idBytes(contactId),
    idBytes(environmentId),
  ]);
  return rows.length > 0;
}

/**
 * Deletes a contact, whose row the caller has locked, and what stands beside it. What the person had said no to stays: the records and
 * standing revocations under the contact's id, and the suppressions.
 * @returns every address that the person had here: what else is held of them is the kernel's to have erased
 */
export async function eraseContact({ db, clock }: Context, contact: ContactRow): Promise<Addresses[]> {
  const id = idBytes(contact.id);
  const former = await formerAddresses(db, contact);
  const ofContact = (table: string, more = ''): Statement => ({
    sql: `DELETE FROM ${table} WHERE contact_id = ?${more}`,
    parameters: [id],
  });
  const { sql, parameters } = joined([
    {
      sql: 'INSERT INTO audience_erased (contact_id, environment_id, erased_at) VALUES (?, ?, ?)',
      parameters: [id, idBytes(contact.environmentId), clock.now()],
    },
    ...formerAddressStatements(addressesOf(contact)),
    { sql: 'UPDATE audience_former_address SET address_key = NULL WHERE contact_id = ?', parameters: [id] },
    ofContact('audience_consent', " AND state = 'granted'"),
    ofContact('audience_consent_origin'),
    ofContact('audience_property'),
    ofContact('audience_event_tally'),
    ofContact('audience_message_tally'),
    { sql: 'DELETE FROM audience_contact WHERE id = ?', parameters: [id] },
  ]);
  await db.run(sql, parameters);
  const rest = former.map(({ channel, key }) => ({
    email: channel === 'email' ? key : null,
    phone: channel === 'sms' ? key : null,
  }));
  return [{ email: contact.email, phone: contact.phone }, ...rest];
}

/** Addresses that the contact had before. */
async function formerAddresses(db: Session, contact: ContactRow): Promise<{ channel: Channel; key: string }[]> {
  const rows = await db.rows<{ channel: Buffer; address_key: Buffer }>(
    'SELECT channel, address_key FROM audience_former_address WHERE contact_id = ? AND address_key IS NOT NULL',
    [idBytes(contact.id)],
  );
  return rows.map(({ channel, address_key }) => ({
    channel: channel.toString() === 'sms' ? 'sms' : 'email',
    key: address_key.toString(),
  }));
}

/** Does another contact of the environment have the address? */
export const hasAddress: AddressCheck = async (db, { environment, personId, kind, address }) => {
  const [column, channel] = kind === 'email' ? (['email_key', 'email'] as const) : (['phone', 'sms'] as const);
  const rows = await db.rows(`SELECT id FROM audience_contact WHERE environment_id = ? AND ${column} = ? AND id <> ?`, [
    idBytes(environment.id),
    Buffer.from(addressKey(channel, address)),
    idBytes(personId),
  ]);
  return rows.length > 0;
};
