import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { crashPoint } from '#core/runtime/fault.js';
import { literalParameter } from '#core/runtime/database/literal.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import type { Table } from '#core/runtime/database/table.js';
import { idBytes } from '#core/runtime/id.js';
import { lanes } from '#core/runtime/work/queue.js';
import { makeChunks } from '../chunks.js';
import { countMoves } from '../stats/count.js';
import type { MessageFields, RecipientRow } from '../tables.js';
import type { ContactBatch } from './audience.js';
import type { BroadcastDriver } from './driver.js';
import { completeStatement } from '../broadcast-counts.js';
import { eventRows } from './event-rows.js';
import { idPrefix, idRange, ordinalOf, selectedId } from './ids.js';
import type { BroadcastFields } from '../broadcast-tables.js';

/** Contacts in one batch: its transaction stays below a second. */
export const contactsPerBatch = 5_000;

/** The messages of a batch would cross the account's cap: the batch is rolled back. */
export class CapReached extends Error {
  override readonly name = 'CapReached';
}

/**
 * Creates the messages of one batch, in the caller's transaction: message, recipient, queue row and event of each, the
 * counts, and the position that the broadcast has reached. No row passes through this process.
 * @returns false if the broadcast has changed since: the caller must roll back
 * @throws CapReached
 */
export async function makeMessages<B extends BroadcastFields, M extends MessageFields>(
  context: FullContext,
  kind: BroadcastDriver<B, M>,
  broadcast: B,
  environment: Environment,
  batch: ContactBatch,
): Promise<boolean> {
  const { db, clock } = context;
  const { driver, tables } = kind;
  const at = clock.now();
  const message = kind.messageOf(broadcast, at);
  const { topic, segmentId } = broadcast;
  const audience = kind.audience(context);
  const { eligible, counts } = await audience.recipientsIn(
    environment.id,
    { channel: kind.name, topic },
    segmentId,
    batch,
  );
  const prefix = idPrefix();
  const { affectedRows: count } = await insertSelected(
    context,
    driver.tables.messages,
    message,
    { id: { sql: selectedId('r.ordinal'), parameters: [prefix] }, contactId: 'r.contact_id', ...kind.selected },
    {
      sql: `FROM (SELECT e.contact_id, e.address, ROW_NUMBER() OVER (ORDER BY e.contact_id) AS ordinal FROM (${eligible.sql}) e) r`,
      parameters: eligible.parameters,
    },
  );
  crashPoint(`${kind.name}.broadcast.messages`);
  const made = {
    sql: `FROM ${driver.tables.messages.tableName} m WHERE m.id BETWEEN ? AND ? AND m.broadcast_id = ?`,
    parameters: [...idRange(prefix), idBytes(broadcast.id)],
  };
  if (count > 0 && !(await kind.meterMessages(context, environment, broadcast, { ...made, count })))
    throw new CapReached();
  if (count > 0) {
    const recipient: RecipientRow = {
      messageId: broadcast.id,
      position: 0,
      environmentId: environment.id,
      address: '',
      addressKey: '',
      status: 'queued',
      code: null,
      response: null,
      providerId: null,
      endedAt: null,
    };
    const own = { messageId: 'm.id', address: kind.address, addressKey: kind.addressKey };
    await insertSelected(context, driver.tables.recipients, recipient, own, made);
    if (driver.chunks !== undefined && environment.kind === 'live')
      await db.run(makeChunks(driver.chunks, broadcast.id, at, { ...made, ordinal: ordinalOf('m.id') }));
    else
      await db.run(
        `INSERT INTO ${driver.queue.table} (id, partition_id, lane, due_at, attempts, leased)
         SELECT m.id, ?, ${lanes.bulk}, ?, 0, 0 ${made.sql}`,
        [idBytes(broadcast.id), at, ...made.parameters],
      );
  }
  const { noConsent, optedOut, suppressed } = counts;
  await db.run(
    `UPDATE ${tables.counts.tableName} SET recipients = recipients + ?, queued = queued + ?, never_asked = never_asked + ?,
       opted_out = opted_out + ?, already_suppressed = already_suppressed + ? WHERE broadcast_id = ?`,
    [count, count, noConsent - optedOut, optedOut, suppressed, idBytes(broadcast.id)],
  );
  for (const stat of count > 0 ? countMoves(driver.tables.stats, [{ message, from: null, to: 'queued', count }]) : [])
    await db.defer(stat);
  const before = broadcast.lastContactId;
  const { affectedRows: moved } = await db.run(
    `UPDATE ${tables.broadcasts.tableName} SET last_contact_id = ? WHERE id = ? AND status = 'sending' AND last_contact_id <=> ?`,
    [idBytes(batch.upTo), idBytes(broadcast.id), before === null ? null : idBytes(before)],
  );
  if (moved !== 1) return false;
  if (count > 0)
    await context.emitSelected(kind.messageEvents.queued, {
      rows: eventRows(kind, message, idPrefix(), { ...made, ordinal: ordinalOf('m.id') }),
      environment,
      lane: 'bulk',
      activityId: broadcast.activityId,
    });
  context.wake((driver.chunks ?? driver.queue).name);
  return true;
}

/** Notes that every recipient has a message. This may complete the broadcast. */
export async function finishFanOut<B extends BroadcastFields, M extends MessageFields>(
  { db, clock }: FullContext,
  { tables }: BroadcastDriver<B, M>,
  broadcast: B,
): Promise<void> {
  const at = clock.now();
  await db.run(`UPDATE ${tables.broadcasts.tableName} SET fanned_out_at = ? WHERE id = ?`, [at, idBytes(broadcast.id)]);
  await db.run(completeStatement(tables, broadcast.id, at));
}

interface SqlExpression {
  sql: string;
  parameters: readonly SqlValue[];
}

/** `INSERT INTO table SELECT`: the values of `row`, except for the fields that are SQL. */
function insertSelected<R extends object>(
  { db }: Pick<FullContext, 'db'>,
  table: Table<R>,
  row: R,
  selected: Readonly<Partial<Record<keyof R & string, string | SqlExpression>>>,
  from: SqlExpression,
): Promise<{ affectedRows: number }> {
  const sqlOf = new Map(Object.entries<string | SqlExpression | undefined>(selected));
  const values = new Map<string, unknown>(Object.entries(Object.assign({}, row)));
  const columns = [...table.tableColumns].map(([field, { name, literal }]) => {
    const expression = sqlOf.get(field);
    if (expression === undefined) return { name, sql: '?', parameters: [literalParameter(literal(values.get(field)))] };
    return typeof expression === 'string' ? { name, sql: expression, parameters: [] } : { name, ...expression };
  });
  return db.run(
    `INSERT INTO ${table.tableName} (${columns.map(({ name }) => name).join(', ')})
     SELECT ${columns.map(({ sql }) => sql).join(', ')} ${from.sql}`,
    [...columns.flatMap(({ parameters }) => parameters), ...from.parameters],
  );
}
