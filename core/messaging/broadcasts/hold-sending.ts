import type { FullContext } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import type { BroadcastFields, BroadcastTables, HoldReason } from '../broadcast-tables.js';
import { holdBroadcast } from './change-status.js';

/**
 * Holds those of the given broadcasts that are being sent. Their counts are locked first, in the order in which they
 * are locked everywhere (countStatements).
 * @returns the broadcasts that are held now and were not before
 */
export async function holdSending<B extends BroadcastFields>(
  context: Pick<FullContext, 'db' | 'clock' | 'wake'>,
  tables: BroadcastTables<B>,
  broadcastIds: readonly string[],
  reason: HoldReason,
): Promise<B[]> {
  if (broadcastIds.length === 0) return [];
  const ids = broadcastIds.map(idBytes);
  await context.db.rows<object>(
    `SELECT broadcast_id FROM ${tables.counts.tableName} WHERE broadcast_id IN (?) ORDER BY broadcast_id FOR UPDATE`,
    [ids],
  );
  const rows = await context.db.rows<object>(
    `SELECT ${tables.broadcasts.columnList()} FROM ${tables.broadcasts.tableName}
     WHERE id IN (?) AND status = 'sending' ORDER BY id FOR UPDATE`,
    [ids],
  );
  const held: B[] = [];
  for (const row of rows) held.push(await holdBroadcast(context, { tables }, tables.broadcasts.decode(row), reason));
  return held;
}
