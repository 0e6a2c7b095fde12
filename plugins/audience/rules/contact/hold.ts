import type { Environment } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Session, SqlValue } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { addressKey } from '../address.js';
import type { Whom } from './find.js';

/** The column that a contact is meant by, and the value there. */
function lookup({ contactId, email, phone, externalId }: Whom): { column: string; value: SqlValue } {
  if (contactId !== undefined) return { column: 'id', value: idBytes(contactId) };
  if (email !== undefined) return { column: 'email_key', value: Buffer.from(addressKey('email', email)) };
  if (phone !== undefined) return { column: 'phone', value: Buffer.from(addressKey('sms', phone)) };
  return { column: 'external_id', value: Buffer.from(externalId?.normalize('NFC') ?? '') };
}

/**
 * Holds a contact's row until the transaction ends, for what is written beside it and needs nothing of it: erasing the person waits, or
 * has come first. One round trip; the inner read takes no lock, so that nobody waits for an index entry while holding the row.
 * @returns the contact's id
 * @throws not_found for another environment's contact, exactly as for one that does not exist
 */
export async function holdContact(db: Session, { id }: Environment, whom: Whom): Promise<string> {
  const { column, value } = lookup(whom);
  const [found] = await db.rows<{ id: Buffer }>(
    `SELECT id FROM audience_contact
     WHERE id = (SELECT id FROM audience_contact WHERE environment_id = ? AND ${column} = ?) FOR UPDATE`,
    [idBytes(id), value],
  );
  if (!found) throw refusalOf.not_found({ thing: 'contact', lookup: 'audience.contact.list' });
  return idText(found.id);
}
