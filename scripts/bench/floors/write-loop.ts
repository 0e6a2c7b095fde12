import { randomBytes } from 'node:crypto';
import type { Pool, RowDataPacket } from 'mysql2/promise';
import { insertInto, joined, type SqlValue } from '#core/runtime/database/statement.js';
import { idBytes, idText, newId } from '#core/runtime/id.js';

type Row = Record<string, SqlValue>;

/** The tables that email.send writes to, with the condition that finds the rows of one message. */
const tables = [
  { table: 'email_message', where: 'id = :message' },
  { table: 'email_content', where: 'id = :message' },
  { table: 'email_recipient', where: 'message_id = :message' },
  { table: 'email_queue', where: 'id = :message' },
  // Without a reference to the message: the next id of the same call.
  { table: 'email_stat_change', where: 'id > :message ORDER BY id LIMIT 1' },
  { table: 'billing_usage', where: 'source_id = :subject' },
  { table: 'svc_activity', where: 'id = :activity' },
  { table: 'svc_event', where: 'activity_id = :activity' },
  // It has no reference to the message; all answered rows have the same size.
  { table: 'svc_idempotency', where: 'answer IS NOT NULL LIMIT 1' },
] as const;

const isValue = (value: unknown): value is SqlValue =>
  value === null ||
  ['string', 'number', 'bigint'].includes(typeof value) ||
  value instanceof Date ||
  Buffer.isBuffer(value);

/** A row that was read and will be inserted again. */
export const asRow = (found: RowDataPacket): Row =>
  Object.fromEntries(Object.entries(found).map(([column, value]) => [column, isValue(value) ? value : null]));

/** The rows that svc wrote for the newest message, which the floor copies. */
async function modelRows(database: Pool): Promise<{ table: string; row: Row }[]> {
  const [[newest]] = await database.query<(RowDataPacket & { id: Buffer; subject_id: Buffer })[]>(
    "SELECT id, subject_id FROM svc_activity WHERE operation = 'email.send' ORDER BY id DESC LIMIT 1",
  );
  if (!newest) throw new Error('No message was sent yet, which the write floor could copy.');
  const ids: Readonly<Record<string, Buffer>> = {
    message: idBytes(newest.subject_id.toString()),
    subject: newest.subject_id,
    activity: newest.id,
  };
  const models: { table: string; row: Row }[] = [];
  for (const { table, where } of tables) {
    const named = /:(\w+)/.exec(where)?.[1];
    const values = named === undefined ? [] : [ids[named]];
    const sql = `SELECT * FROM ${table} WHERE ${where.replace(/:\w+/, '?')}`;
    const [rows] = await database.query<RowDataPacket[]>(sql, values);
    if (rows.length === 0) throw new Error(`email.send left no row in ${table}: the write floor is out of date.`);
    models.push(...rows.map((row) => ({ table, row: asRow(row) })));
  }
  return models;
}

/** Replaces ids and times in a copy: equal ids with equal new ones, digests with random bytes. */
function renewed(): (column: string, value: SqlValue) => SqlValue {
  const fresh = new Map<string, string>();
  const idFor = (old: string): string => {
    const known = fresh.get(old) ?? newId();
    fresh.set(old, known);
    return known;
  };
  const now = new Date();
  const own = new Set(['id', 'message_id', 'content_id', 'activity_id', 'request_id']);
  return (column, value) => {
    if (value instanceof Date) return now;
    if (!Buffer.isBuffer(value)) return value;
    if (own.has(column)) return value.length === 32 ? randomBytes(32) : idBytes(idFor(idText(value)));
    return column === 'subject_id' || column === 'source_id' ? Buffer.from(idFor(value.toString())) : value;
  };
}

/**
 * The minimum cost of a write: the rows of email.send in one transaction and one round trip.
 * @returns a function that commits one copy of the rows
 */
export async function writeLoop(database: Pool): Promise<() => Promise<void>> {
  const models = await modelRows(database);
  return async () => {
    const renew = renewed();
    const inserts = models.map(({ table, row }) =>
      insertInto(table, [
        Object.fromEntries(Object.entries(row).map(([column, value]) => [column, renew(column, value)])),
      ]),
    );
    const { sql, parameters } = joined([
      { sql: 'START TRANSACTION', parameters: [] },
      ...inserts,
      { sql: 'COMMIT', parameters: [] },
    ]);
    await database.query(sql, [...parameters]);
  };
}
