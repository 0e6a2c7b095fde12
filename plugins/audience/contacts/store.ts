import { isDuplicate, RetryTransaction } from '#core/runtime/database/errors.js';
import type { Session, SqlValue } from '#core/runtime/database/session.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import {
  literalParameter,
  bytesLiteral,
  idLiteral,
  insertLiterals,
  textLiteral,
  timeLiteral,
  type Literal,
} from '#core/runtime/database/literal.js';
import { idBytes } from '#core/runtime/id.js';
import { identifiers, type ContactRow } from '../tables/contact.js';
import { addressesLeft, formerAddressStatements } from './former-address.js';
import { propertiesOf } from './present.js';
import { nameId, valueLiteral } from './value-key.js';

/** A contact before and after a write; `before` is null for a new one. */
export interface ContactWrite {
  before: ContactRow | null;
  after: ContactRow;
}

/** What an update may change: neither whose contact it is, nor since when. */
const changing = [
  'external_id',
  'email',
  'email_key',
  'email_digest',
  'phone',
  'phone_digest',
  'first_name',
  'last_name',
  'locale',
  'time_zone',
  'properties',
  'updated_at',
] as const;
const columns = ['id', 'environment_id', 'created_at', ...changing] as const;
const changingTo = changing.map((column) => `${column} = ?`).join(', ');

const valuesOf = (row: ContactRow): Literal[] => [
  textLiteral(row.externalId),
  textLiteral(row.email),
  textLiteral(row.emailKey),
  bytesLiteral(row.emailDigest),
  textLiteral(row.phone),
  bytesLiteral(row.phoneDigest),
  textLiteral(row.firstName),
  textLiteral(row.lastName),
  textLiteral(row.locale),
  textLiteral(row.timeZone),
  textLiteral(row.properties),
  timeLiteral(row.updatedAt),
];

const insertOf = (rows: readonly ContactRow[]): Statement =>
  insertLiterals(
    'audience_contact',
    columns,
    rows.map((row) => [idLiteral(row.id), idLiteral(row.environmentId), timeLiteral(row.createdAt), ...valuesOf(row)]),
  );

const updateOf = (row: ContactRow): Statement => ({
  sql: `UPDATE audience_contact SET ${changingTo} WHERE id = ?`,
  parameters: [...valuesOf(row).map(literalParameter), idBytes(row.id)],
});

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

interface IndexChanges {
  put: (readonly Literal[])[];
  gone: SqlValue[][];
}

/** Adds to `into` the rows of the property index that a write adds or changes, and those that it takes away. */
function indexChanges({ before, after }: ContactWrite, into: IndexChanges): void {
  if (before?.properties === after.properties) return;
  const [had, has] = [before ? propertiesOf(before.properties) : {}, propertiesOf(after.properties)];
  const id = idLiteral(after.id);
  for (const [name, value] of Object.entries(has))
    if (had[name] !== value) into.put.push([id, bytesLiteral(nameId(after.environmentId, name)), valueLiteral(value)]);
  for (const name of Object.keys(had))
    if (!Object.hasOwn(has, name)) into.gone.push([idBytes(after.id), nameId(after.environmentId, name)]);
}

function indexStatements(writes: readonly ContactWrite[]): Statement[] {
  const changes: IndexChanges = { put: [], gone: [] };
  for (const write of writes) indexChanges(write, changes);
  const { put, gone } = changes;
  const { sql, parameters } = insertLiterals('audience_property', ['contact_id', 'key_id', 'value'], put);
  return [
    ...(put.length > 0 ? [{ sql: `${sql} ON DUPLICATE KEY UPDATE value = VALUES(value)`, parameters }] : []),
    ...(gone.length > 0
      ? [{ sql: 'DELETE FROM audience_property WHERE (contact_id, key_id) IN (?)', parameters: [gone] }]
      : []),
  ];
}

/** Contacts of one text: few enough that the database begins soon, and that a text stays far below what it takes (16 MiB). */
const together = 125;

function statementsOf(writes: readonly ContactWrite[]): Statement[] {
  const created = writes.filter(({ before }) => before === null).map(({ after }) => after);
  const updates = writes.filter(({ before }) => before !== null).map(({ after }) => updateOf(after));
  return [
    ...(created.length > 0 ? [insertOf(created)] : []),
    ...updates,
    ...indexStatements(writes),
    ...formerAddressStatements(writes.flatMap(({ before, after }) => (before ? addressesLeft(before, after) : []))),
  ];
}

/**
 * Writes contacts and their property index: one with the next statement or COMMIT, many in several round trips, each made while the
 * database works on the one before it.
 * @throws RetryTransaction when somebody else took one of their identifiers meanwhile: the unique indexes have the last word
 */
export async function storeContacts(db: Session, writes: readonly ContactWrite[]): Promise<void> {
  let sent: Promise<void> | undefined;
  for (let from = 0; from < writes.length; from += together) {
    const { sql, parameters } = joined([
      ...(from === 0 ? releases(writes) : []),
      ...statementsOf(writes.slice(from, from + together)),
    ]);
    // One at a time: none may follow one that failed.
    if (sent) await sent;
    sent = written(writes.length === 1 ? db.defer(sql, parameters) : db.run(sql, parameters));
    sent.catch(() => undefined);
  }
  await sent;
}

async function written(sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
  } catch (error) {
    if (isDuplicate(error)) throw new RetryTransaction('A contact’s identifier was taken meanwhile.', { cause: error });
    throw error;
  }
}
