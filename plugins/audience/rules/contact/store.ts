import { isDuplicate, RunAgain } from '#core/runtime/database/errors.js';
import type { Session, SqlValue } from '#core/runtime/database/session.js';
import { insertInto, joined, type Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { ContactRow } from '../../tables/contact.js';
import { propertiesOf } from './present.js';
import { nameId, valueKey } from './value-key.js';

/** A contact before and after a write; `before` is null for a new one. */
export interface ContactWrite {
  before: ContactRow | null;
  after: ContactRow;
}

const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text));

const columnsOf = (row: ContactRow): Record<string, SqlValue> => ({
  id: idBytes(row.id),
  environment_id: idBytes(row.environmentId),
  external_id: bytes(row.externalId),
  email: row.email,
  email_key: bytes(row.emailKey),
  email_digest: row.emailDigest,
  phone: bytes(row.phone),
  phone_digest: row.phoneDigest,
  first_name: row.firstName,
  last_name: row.lastName,
  locale: bytes(row.locale),
  time_zone: bytes(row.timeZone),
  properties: row.properties,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
});

function updateOf(row: ContactRow): Statement {
  const { id, environment_id: _environment, created_at: _createdAt, ...values } = columnsOf(row);
  const names = Object.keys(values);
  return {
    sql: `UPDATE audience_contact SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
    parameters: [...names.map((name) => values[name] ?? null), id ?? null],
  };
}

const identifiers = ['externalId', 'emailKey', 'phone'] as const;

/**
 * Identifiers that contacts give up, given up by all of them before any is taken: one contact of a batch may take what another had, and
 * the unique indexes look after every statement.
 */
function releases(writes: readonly ContactWrite[]): Statement[] {
  if (writes.length < 2) return [];
  const givers = writes.filter(({ before, after }) =>
    identifiers.some((name) => before !== null && before[name] !== null && before[name] !== after[name]),
  );
  if (givers.length === 0) return [];
  const sql = 'UPDATE audience_contact SET external_id = NULL, email_key = NULL, phone = NULL WHERE id IN (?)';
  return [{ sql, parameters: [givers.map(({ after }) => idBytes(after.id))] }];
}

/** The rows of the property index that a write adds or changes, and those that it takes away. */
function indexChanges({ before, after }: ContactWrite): { put: Record<string, SqlValue>[]; gone: SqlValue[][] } {
  if (before?.properties === after.properties) return { put: [], gone: [] };
  const [had, has] = [before ? propertiesOf(before.properties) : {}, propertiesOf(after.properties)];
  const contact = idBytes(after.id);
  const key = (name: string): Buffer => nameId(after.environmentId, name);
  return {
    put: Object.entries(has)
      .filter(([name, value]) => had[name] !== value)
      .map(([name, value]) => ({ contact_id: contact, key_id: key(name), value: valueKey(value) })),
    gone: Object.keys(had)
      .filter((name) => !Object.hasOwn(has, name))
      .map((name) => [contact, key(name)]),
  };
}

function indexStatements(writes: readonly ContactWrite[]): Statement[] {
  const changes = writes.map(indexChanges);
  const put = changes.flatMap((each) => each.put);
  const gone = changes.flatMap((each) => each.gone);
  const { sql, parameters } = insertInto('audience_property', put);
  return [
    ...(put.length > 0 ? [{ sql: `${sql} ON DUPLICATE KEY UPDATE value = VALUES(value)`, parameters }] : []),
    ...(gone.length > 0
      ? [{ sql: 'DELETE FROM audience_property WHERE (contact_id, key_id) IN (?)', parameters: [gone] }]
      : []),
  ];
}

/** Addresses that a write takes from contacts: erasing the person later must find what was sent there. */
function formerAddresses(writes: readonly ContactWrite[]): Statement[] {
  const former = writes.flatMap(({ before, after }) => [
    ...(before?.emailKey && before.emailKey !== after.emailKey ? [['email', before.emailKey, after.id] as const] : []),
    ...(before?.phone && before.phone !== after.phone ? [['sms', before.phone, after.id] as const] : []),
  ]);
  if (former.length === 0) return [];
  const { sql, parameters } = insertInto(
    'audience_former_address',
    former.map(([channel, key, id]) => ({
      contact_id: idBytes(id),
      channel: Buffer.from(channel),
      address_key: Buffer.from(key),
    })),
  );
  return [{ sql: `${sql} ON DUPLICATE KEY UPDATE channel = VALUES(channel)`, parameters }];
}

/**
 * Writes contacts and their property index, in one round trip.
 * @throws RunAgain when somebody else took one of their identifiers meanwhile: the unique indexes have the last word
 */
export async function storeContacts(db: Session, writes: readonly ContactWrite[]): Promise<void> {
  const created = writes.filter(({ before }) => before === null).map(({ after }) => columnsOf(after));
  const updates = writes.filter(({ before }) => before !== null).map(({ after }) => updateOf(after));
  const statements = [
    ...releases(writes),
    ...(created.length > 0 ? [insertInto('audience_contact', created)] : []),
    ...updates,
    ...indexStatements(writes),
    ...formerAddresses(writes),
  ];
  if (statements.length === 0) return;
  const { sql, parameters } = joined(statements);
  try {
    await db.run(sql, parameters);
  } catch (error) {
    if (isDuplicate(error)) throw new RunAgain('A contact’s identifier was taken meanwhile.', { cause: error });
    throw error;
  }
}
