import type { Environment } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { RetryTransaction } from '#core/runtime/database/errors.js';
import type { PreparedValue, Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { contacts, identifiers, type ContactRow } from '../tables/contact.js';
import { addressKey, addressKeys } from './address.js';

/** The fields by which a call identifies a contact. Exactly one of them is given. */
interface ContactSelector {
  contactId?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  externalId?: string | undefined;
}

/** The condition that a selector means, and its values. */
function lookupOf({ contactId, email, phone, externalId }: ContactSelector): {
  condition: string;
  values: PreparedValue[];
} {
  if (contactId !== undefined) return { condition: 'id = ?', values: [idBytes(contactId)] };
  if (email !== undefined) return { condition: 'email_key = ?', values: [Buffer.from(addressKey('email', email))] };
  if (phone !== undefined) {
    const values = addressKeys('sms', phone).map((key) => Buffer.from(key));
    return { condition: `phone IN (${values.map(() => '?').join(', ')})`, values };
  }
  return { condition: 'external_id = ?', values: [Buffer.from(externalId?.normalize('NFC') ?? '')] };
}

/**
 * The selected contact.
 * @throws not_found for another environment's contact, exactly as for one that does not exist
 */
export async function findContact(
  db: Session,
  { id: environmentId }: Environment,
  selector: ContactSelector,
): Promise<ContactRow> {
  const { condition, values } = lookupOf(selector);
  const [found] = await db.prepared<object>(
    `SELECT ${contacts.columnList()} FROM audience_contact WHERE environment_id = ? AND ${condition} LIMIT 1`,
    [idBytes(environmentId), ...values],
  );
  if (!found) throw refusalOf.not_found({ ...contacts.notFound });
  return contacts.decode(found);
}

/**
 * The selected contact, locked until the transaction ends, so that changes to one contact and its consents run
 * sequentially.
 * @throws not_found as `findContact`
 */
export async function lockContact(
  db: Session,
  environment: Environment,
  selector: ContactSelector,
): Promise<ContactRow> {
  const found = await findContact(db, environment, selector);
  const [locked] = await lockContacts(db, [found.id]);
  if (!locked) throw refusalOf.not_found({ ...contacts.notFound });
  // The address in the call may belong to another contact by now.
  const isSame = selector.contactId !== undefined || identifiers.every((name) => locked[name] === found[name]);
  if (!isSame) throw new RetryTransaction('The contact’s identifiers changed while its lock was awaited.');
  return locked;
}

/** Locks contacts in the order of their ids, so that two transactions that lock the same ones cannot deadlock. */
export async function lockContacts(db: Session, ids: readonly string[]): Promise<ContactRow[]> {
  if (ids.length === 0) return [];
  const rows = await db.rows<object>(
    `SELECT ${contacts.columnList()} FROM audience_contact WHERE id IN (?) ORDER BY id FOR UPDATE`,
    [ids.map(idBytes)],
  );
  return rows.map((row) => contacts.decode(row));
}

/**
 * Locks the selected contact without loading it, in one round trip. For writes about the contact that must not run
 * while the contact is being erased. The subquery takes no lock, so a transaction that holds the row never waits for an
 * index entry.
 * @returns the contact's id
 * @throws not_found as `findContact`
 */
export async function lockContactId(
  db: Session,
  { id: environmentId }: Environment,
  selector: ContactSelector,
): Promise<string> {
  const { condition, values } = lookupOf(selector);
  const [found] = await db.prepared<{ id: Buffer }>(
    `SELECT id FROM audience_contact
     WHERE id = (SELECT id FROM audience_contact WHERE environment_id = ? AND ${condition} LIMIT 1) FOR UPDATE`,
    [idBytes(environmentId), ...values],
  );
  if (!found) throw refusalOf.not_found({ ...contacts.notFound });
  return idText(found.id);
}
