import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import type { BroadcastFields, SystemHold } from '../broadcast-tables.js';
import { holdBroadcast, type NamedKind } from './change-status.js';

/**
 * Holds those of the given broadcasts that are being sent. Their counts are locked first, in the order in which they
 * are locked everywhere (countStatements).
 * @param broadcasts the environment of each, by its id
 * @returns the broadcasts that are held now and were not before
 */
export async function holdSending<B extends BroadcastFields>(
  context: Pick<FullContext, 'db' | 'clock' | 'wake' | 'auditOwn'>,
  kind: NamedKind<B>,
  broadcasts: ReadonlyMap<string, Environment>,
  reason: SystemHold,
): Promise<B[]> {
  if (broadcasts.size === 0) return [];
  const { tables } = kind;
  const ids = [...broadcasts.keys()].map(idBytes);
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
  for (const row of rows) {
    const broadcast = tables.broadcasts.decode(row);
    const environment = broadcasts.get(broadcast.id);
    if (environment) held.push(await holdBroadcast(context, kind, broadcast, { reason, environment }));
  }
  return held;
}
