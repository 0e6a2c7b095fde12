import { isDuplicate, RetryTransaction } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { type SqlValue, orUpdate, joined, type Statement } from '#core/runtime/database/statement.js';
import { bytesLiteral, idLiteral, insertLiterals, type Literal } from '#core/runtime/database/literal.js';
import { idBytes } from '#core/runtime/id.js';
import { contacts, identifiers, type ContactRow } from '../tables/contact.js';
import { addressesLost, formerAddressStatements } from './former-address.js';
import { parseProperties } from './present.js';
import { nameId, valueLiteral } from './value-key.js';

/** A contact before and after a write; `before` is null for a new one. */
export interface ContactWrite {
  before: ContactRow | null;
  after: ContactRow;
}

const updateStatement = ({
  id,
  environmentId: _environment,
  createdAt: _createdAt,
  ...values
}: ContactRow): Statement => contacts.updateRow({ id }, values);

/**
 * Clears the identifiers of contacts that are about to change them. Within a batch, one contact may take over another's
 * identifier, and unique indexes are checked after every statement.
 */
function releaseIdentifiers(writes: readonly ContactWrite[]): Statement[] {
  if (writes.length < 2) return [];
  const changing = writes.filter(({ before, after }) =>
    identifiers.some((name) => before !== null && before[name] !== null && before[name] !== after[name]),
  );
  if (changing.length === 0) return [];
  const sql = 'UPDATE audience_contact SET external_id = NULL, email_key = NULL, phone = NULL WHERE id IN (?)';
  return [{ sql, parameters: [changing.map(({ after }) => idBytes(after.id))] }];
}

interface IndexChanges {
  upserted: (readonly Literal[])[];
  /** Primary keys. */
  deleted: SqlValue[][];
}

/** Adds the rows of the property index that a write changes to `changes`. */
function addIndexChanges({ before, after }: ContactWrite, changes: IndexChanges): void {
  if (before?.properties === after.properties) return;
  const old = before ? parseProperties(before.properties) : {};
  const current = parseProperties(after.properties);
  const id = idLiteral(after.id);
  for (const [name, value] of Object.entries(current))
    if (old[name] !== value)
      changes.upserted.push([id, bytesLiteral(nameId(after.environmentId, name)), valueLiteral(value)]);
  for (const name of Object.keys(old))
    if (!Object.hasOwn(current, name)) changes.deleted.push([idBytes(after.id), nameId(after.environmentId, name)]);
}

// Literals instead of `properties.insertRows`: an import writes ten of these rows for each contact, and most of them
// are texts that need no Buffer.
function propertyIndexStatements(writes: readonly ContactWrite[]): Statement[] {
  const changes: IndexChanges = { upserted: [], deleted: [] };
  for (const write of writes) addIndexChanges(write, changes);
  const { upserted, deleted } = changes;
  const insert = insertLiterals('audience_property', ['contact_id', 'key_id', 'value'], upserted);
  return [
    ...(upserted.length > 0 ? [orUpdate(insert, 'value = VALUES(value)')] : []),
    ...(deleted.length > 0
      ? [{ sql: 'DELETE FROM audience_property WHERE (contact_id, key_id) IN (?)', parameters: [deleted] }]
      : []),
  ];
}

/**
 * Contacts per round trip: few enough that the database starts early, and that the text stays far below the packet
 * limit of 16 MiB.
 */
const batchSize = 125;

function writeStatements(writes: readonly ContactWrite[]): Statement[] {
  const created = writes.filter(({ before }) => before === null).map(({ after }) => after);
  const updates = writes.filter(({ before }) => before !== null).map(({ after }) => updateStatement(after));
  return [
    ...(created.length > 0 ? [contacts.insertRows(created)] : []),
    ...updates,
    ...propertyIndexStatements(writes),
    ...formerAddressStatements(writes.flatMap(({ before, after }) => (before ? addressesLost(before, after) : []))),
  ];
}

/**
 * Writes contacts and their property index. A single contact is written with the next statement or COMMIT; many are
 * written in several round trips, each prepared while the database works on the previous one.
 * @throws RetryTransaction if another transaction took one of the identifiers, which the unique indexes detect
 */
export async function storeContacts(db: Session, writes: readonly ContactWrite[]): Promise<void> {
  let sent: Promise<void> | undefined;
  for (let from = 0; from < writes.length; from += batchSize) {
    const statement = joined([
      ...(from === 0 ? releaseIdentifiers(writes) : []),
      ...writeStatements(writes.slice(from, from + batchSize)),
    ]);
    // Nothing may be sent after a failed statement.
    if (sent) await sent;
    sent = retryOnDuplicate(writes.length === 1 ? db.defer(statement) : db.run(statement));
    sent.catch(() => undefined);
  }
  await sent;
}

async function retryOnDuplicate(sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
  } catch (error) {
    if (isDuplicate(error))
      throw new RetryTransaction('Another transaction took a contact’s identifier.', { cause: error });
    throw error;
  }
}
