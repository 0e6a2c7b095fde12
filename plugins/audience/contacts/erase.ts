import type { Context } from '#core/kernel/context.js';
import {
  erasureBatch,
  type ErasedPerson,
  type ErasureContext,
  type FindAddressHolder,
  type PersonAddress,
  type PersonEraser,
  type RequestedErasure,
} from '#core/kernel/person.js';
import type { Services } from '#core/kernel/services.js';
import type { Session } from '#core/runtime/database/session.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { contacts, type ContactRow } from '../tables/contact.js';
import { erasedContacts } from '../tables/erased-contact.js';
import { formerAddresses } from '../tables/former-address.js';
import { addressDigests, addressKeys } from './address.js';
import { addressesOf, formerAddressStatements } from './former-address.js';

/** Addresses of a person that other products' rows may contain. */
interface Addresses {
  email: string | null;
  phone: string | null;
}

/** Whether the environment had this contact and erased it. */
export async function wasErased(db: Session, environmentId: string, contactId: string): Promise<boolean> {
  return (await db.count(erasedContacts, { contactId, environmentId })) > 0;
}

/**
 * Deletes a contact, whose row the caller has locked, with everything stored about it. Opt-outs are kept: consent
 * records and current revocations under the contact's id, suppressions under the address digest.
 * @returns every address that the contact has or had, so that the kernel can erase what other products store
 */
export async function eraseContact({ db, clock }: Context, contact: ContactRow): Promise<Addresses[]> {
  const id = idBytes(contact.id);
  const former = await db.find(formerAddresses, { contactId: contact.id });
  const deleteFrom = (table: string, condition = ''): Statement => ({
    sql: `DELETE FROM ${table} WHERE contact_id = ?${condition}`,
    parameters: [id],
  });
  await db.run(
    joined([
      erasedContacts.insertRows([
        { contactId: contact.id, environmentId: contact.environmentId, erasedAt: clock.now() },
      ]),
      ...formerAddressStatements(addressesOf(contact)),
      { sql: 'UPDATE audience_former_address SET address_key = NULL WHERE contact_id = ?', parameters: [id] },
      deleteFrom('audience_consent', " AND state = 'granted'"),
      deleteFrom('audience_consent_origin'),
      deleteFrom('audience_property'),
      deleteFrom('audience_event_tally'),
      deleteFrom('audience_message_tally'),
      { sql: 'DELETE FROM audience_contact WHERE id = ?', parameters: [id] },
    ]),
  );
  return [
    { email: contact.email, phone: contact.phone },
    ...former.flatMap(({ channel, addressKey: key }) =>
      key === null ? [] : [{ email: channel === 'email' ? key : null, phone: channel === 'sms' ? key : null }],
    ),
  ];
}

/** The other contact of the environment that has the address. */
async function otherWith(
  db: Session,
  { environment, personId, kind, address }: PersonAddress,
): Promise<ContactRow | null> {
  for (const key of addressKeys(kind === 'email' ? 'email' : 'sms', address)) {
    const where = kind === 'email' ? { emailKey: key } : { phone: key };
    const found = await db.findOne(contacts, { environmentId: environment.id, ...where });
    if (found && found.id !== personId) return found;
  }
  return null;
}

/** The other contact of the environment that has the address. */
export const findAddressHolder: FindAddressHolder = async (db, address) => {
  const other = await otherWith(db, address);
  return other && { type: 'contact', id: other.id, operation: 'audience.contact.delete' };
};

/**
 * Erases data that would be too much for the transaction that deletes a contact: recorded events, and the addresses in
 * suppressions, which stay in force through their digests.
 */
export const eraser = ({ vault }: Services): PersonEraser => {
  /**
   * If audience was disabled at the time of the request, nothing looked for the holder, so this looks for a contact
   * that had an address then.
   */
  const isFree = async (db: Session, person: RequestedErasure, kind: 'email' | 'phone', address: string) => {
    const other = await otherWith(db, { environment: person.environment, personId: person.personId, kind, address });
    return other === null || other.createdAt > person.requestedAt;
  };
  const digestsOf = async (db: Session, person: RequestedErasure): Promise<Buffer[]> => {
    const { environment, email, phone } = person;
    return [
      ...(email !== null && (await isFree(db, person, 'email', email))
        ? addressDigests(vault, environment.id, 'email', email)
        : []),
      ...(phone !== null && (await isFree(db, person, 'phone', phone))
        ? addressDigests(vault, environment.id, 'sms', phone)
        : []),
    ];
  };
  return {
    async step(person, context) {
      const { affectedRows } = await context.db.run('DELETE FROM audience_event WHERE contact_id = ? LIMIT ?', [
        idBytes(person.personId),
        erasureBatch,
      ]);
      return { done: affectedRows + (await redactSuppressions(person, await digestsOf(context.db, person), context)) };
    },
  };
};

async function redactSuppressions(
  { environment }: ErasedPerson,
  digests: readonly Buffer[],
  { db, redactAbout }: ErasureContext,
): Promise<number> {
  if (digests.length === 0) return 0;
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT id FROM audience_suppression
     WHERE environment_id = ? AND channel IN ('email', 'sms') AND address_digest IN (?) AND address IS NOT NULL LIMIT ?`,
    [idBytes(environment.id), digests, erasureBatch],
  );
  if (rows.length === 0) return 0;
  await redactAbout({ type: 'suppression', ids: rows.map(({ id }) => idText(id)) });
  await db.run('UPDATE audience_suppression SET address = NULL, note = NULL WHERE id IN (?)', [
    rows.map(({ id }) => id),
  ]);
  return rows.length;
}
