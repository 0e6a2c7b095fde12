import type { Environment } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { RetryTransaction } from '#core/runtime/database/errors.js';
import type { Session, SqlValue } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { identifiers, type ContactRow } from '../tables/contact.js';
import { addressKey } from './address.js';
import { contactFrom, type ContactColumns } from './columns.js';

/** One way of naming a contact; exactly one field is given. */
export interface Whom {
  contactId?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  externalId?: string | undefined;
}

/** The column that a contact is meant by, and the value there. */
function columnOf({ contactId, email, phone, externalId }: Whom): { column: string; value: SqlValue } {
  if (contactId !== undefined) return { column: 'id', value: idBytes(contactId) };
  if (email !== undefined) return { column: 'email_key', value: Buffer.from(addressKey('email', email)) };
  if (phone !== undefined) return { column: 'phone', value: Buffer.from(addressKey('sms', phone)) };
  return { column: 'external_id', value: Buffer.from(externalId?.normalize('NFC') ?? '') };
}

const noContact = (): Error => refusalOf.not_found({ thing: 'contact', lookup: 'audience.contact.list' });

/**
 * The contact that is meant, in this environment alone.
 * @throws not_found for another environment's contact, exactly as for one that does not exist
 */
export async function findContact(db: Session, { id: environmentId }: Environment, whom: Whom): Promise<ContactRow> {
  const { column, value } = columnOf(whom);
  const [found] = await db.rows<ContactColumns>(
    `SELECT * FROM audience_contact WHERE environment_id = ? AND ${column} = ?`,
    [idBytes(environmentId), value],
  );
  if (!found) throw noContact();
  return contactFrom(found);
}

/** The same, its row locked until the transaction ends: changes of one contact and of its consents go one by one. */
export async function lockContact(db: Session, environment: Environment, whom: Whom): Promise<ContactRow> {
  const found = await findContact(db, environment, whom);
  const [locked] = await lockContacts(db, [found.id]);
  if (!locked) throw noContact();
  // What was said of an address is not for whoever had it a moment ago.
  const isStill = whom.contactId !== undefined || identifiers.every((name) => locked[name] === found[name]);
  if (!isStill) throw new RetryTransaction('A contact’s identifiers changed while its row was waited for.');
  return locked;
}

/** Some contacts, locked in the order of their ids, so that two who want the same ones do not wait for each other in a ring. */
export async function lockContacts(db: Session, ids: readonly string[]): Promise<ContactRow[]> {
  if (ids.length === 0) return [];
  // A locking read: it gives what it has waited for.
  const rows = await db.rows<ContactColumns>('SELECT * FROM audience_contact WHERE id IN (?) ORDER BY id FOR UPDATE', [
    ids.map(idBytes),
  ]);
  return rows.map(contactFrom);
}

/**
 * Holds a contact's row until the transaction ends, for what is written beside it and needs nothing of it: erasing the person waits, or
 * has come first. One round trip; the inner read takes no lock, so that nobody waits for an index entry while holding the row.
 * @returns the contact's id
 * @throws not_found for another environment's contact, exactly as for one that does not exist
 */
export async function holdContact(db: Session, { id }: Environment, whom: Whom): Promise<string> {
  const { column, value } = columnOf(whom);
  const [found] = await db.rows<{ id: Buffer }>(
    `SELECT id FROM audience_contact
     WHERE id = (SELECT id FROM audience_contact WHERE environment_id = ? AND ${column} = ?) FOR UPDATE`,
    [idBytes(id), value],
  );
  if (!found) throw noContact();
  return idText(found.id);
}
