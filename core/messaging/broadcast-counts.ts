import type { Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { BroadcastTables } from './broadcast-tables.js';
import type { FinalStatus } from './tables.js';

/** Messages of a broadcast that have ended alike. */
interface EndedCount {
  readonly broadcastId: string;
  readonly status: FinalStatus;
  readonly count: number;
}

/**
 * Moves messages from `queued` to their final status, and completes broadcasts whose last message ended. Run it last in
 * the transaction that ends the messages, because it locks the counts until COMMIT.
 */
export function countStatements(
  { broadcasts, counts }: Pick<BroadcastTables, 'broadcasts' | 'counts'>,
  ended: readonly EndedCount[],
  at: Date,
): Statement[] {
  const ids = [...new Set(ended.map(({ broadcastId }) => broadcastId))].sort();
  return ids.flatMap((id) => {
    const own = ended.filter(({ broadcastId }) => broadcastId === id);
    const total = own.reduce((sum, { count }) => sum + count, 0);
    const changes = own.map(({ status }) => `${status} = ${status} + ?`).join(', ');
    return [
      {
        sql: `UPDATE ${counts.tableName} SET queued = queued - ?, ${changes} WHERE broadcast_id = ?`,
        parameters: [total, ...own.map(({ count }) => count), idBytes(id)],
      },
      completeStatement({ broadcasts, counts }, id, at),
    ];
  });
}

/** Completes a broadcast when its fan-out is finished and none of its messages waits. */
export const completeStatement = (
  { broadcasts, counts }: Pick<BroadcastTables, 'broadcasts' | 'counts'>,
  id: string,
  at: Date,
): Statement => ({
  sql: `UPDATE ${broadcasts.tableName} b JOIN ${counts.tableName} c ON c.broadcast_id = b.id
    SET b.status = IF(b.status = 'closed', b.status, 'sent'), b.hold_reason = NULL, b.completed_at = ?, b.updated_at = ?
    WHERE b.id = ? AND b.completed_at IS NULL AND c.queued = 0
      AND (b.fanned_out_at IS NOT NULL AND b.status IN ('sending', 'held') OR b.status = 'closed')`,
  parameters: [at, at, idBytes(id)],
});
