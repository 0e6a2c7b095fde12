import type { Environment } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { RunAgain } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { contacts, type ContactRow } from '../../tables/contact.js';
import { addressKey } from '../address.js';
import { contactFrom, type ContactColumns } from './columns.js';

/** One way of naming a contact; exactly one field is given. */
export interface Whom {
  contactId?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  externalId?: string | undefined;
}

/**
 * The contact that is meant, in this environment alone.
 * @throws not_found for another environment's contact, exactly as for one that does not exist
 */
export async function findContact(db: Session, { id: environmentId }: Environment, whom: Whom): Promise<ContactRow> {
  const { contactId, email, phone, externalId } = whom;
  const found =
    contactId !== undefined
      ? await db.findOne(contacts, { id: contactId, environmentId })
      : email !== undefined
        ? await db.findOne(contacts, { emailKey: addressKey('email', email), environmentId })
        : phone !== undefined
          ? await db.findOne(contacts, { phone: addressKey('sms', phone), environmentId })
          : await db.findOne(contacts, { externalId: externalId?.normalize('NFC') ?? '', environmentId });
  if (!found) throw refusalOf.not_found({ thing: 'contact', lookup: 'audience.contact.list' });
  return found;
}

/** The same, its row locked until the transaction ends: changes of one contact and of its consents go one by one. */
export async function lockContact(db: Session, environment: Environment, whom: Whom): Promise<ContactRow> {
  const found = await findContact(db, environment, whom);
  const [locked] = await lockContacts(db, [found.id]);
  if (!locked) throw refusalOf.not_found({ thing: 'contact', lookup: 'audience.contact.list' });
  // What was said of an address is not for whoever had it a moment ago.
  const isStill = (['externalId', 'emailKey', 'phone'] as const).every((name) => locked[name] === found[name]);
  if (!isStill) throw new RunAgain('A contact’s identifiers changed while its row was waited for.');
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
