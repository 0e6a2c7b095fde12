import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { heldIds, isHeldSql } from '#core/runtime/work/held.js';
import { broadcastStatuses, type BroadcastStatus } from './broadcast-tables.js';
import { isLeasedSql, leasedMessages, type ChunkSource } from './chunks.js';
import type { MessageFields, MessageStatus, Waiting } from './tables.js';

type Source = ChunkSource & {
  readonly tables: { readonly broadcasts: { readonly broadcasts: { readonly tableName: string } } | null };
};

/** What the shown status of messages depends on in addition to their rows. @returns by message id */
export async function waitingOf(
  db: Session,
  source: Source,
  messages: readonly Pick<MessageFields, 'id' | 'status' | 'broadcastId'>[],
  isClosed: boolean,
): Promise<ReadonlyMap<string, Waiting>> {
  const { tables } = source;
  const queued = messages.filter(({ status }) => status === 'queued');
  const ids = [...new Set(queued.flatMap(({ broadcastId }) => broadcastId ?? []))];
  const [leased, held, rows] = await Promise.all([
    leasedMessages(
      db,
      source,
      queued.map(({ id }) => id),
    ),
    heldIds(
      db,
      source.queue,
      queued.map(({ id }) => id),
    ),
    ids.length === 0 || !tables.broadcasts
      ? []
      : db.rows<{ id: Buffer; status: Buffer }>(
          `SELECT id, status FROM ${tables.broadcasts.broadcasts.tableName} WHERE id IN (?)`,
          [ids.map(idBytes)],
        ),
  ]);
  const statuses = new Map(rows.map((row) => [idText(row.id), broadcastStatus(row.status)]));
  return new Map(
    messages.map(({ id, broadcastId }) => [
      id,
      {
        isLeased: leased.has(id),
        isHeld: held.has(id),
        isClosed,
        broadcast: broadcastId === null ? null : (statuses.get(broadcastId) ?? null),
      },
    ]),
  );
}

const broadcastStatus = (stored: Buffer): BroadcastStatus | null =>
  broadcastStatuses.find((each) => each === stored.toString()) ?? null;

/** SQL for the messages that are shown with a status (`shownStatus`). */
interface ShownWith {
  /** Their stored status, for the index; undefined if there are several. */
  readonly stored: MessageStatus | undefined;
  /** The additional condition; undefined if there is none. Its messages are `message`. */
  readonly condition: string | undefined;
}

/** @param source the messages' channel */
export function shownWith(source: Source, status: MessageStatus, isClosed: boolean): ShownWith {
  const isLeased = isLeasedSql(source, 'message');
  const broadcasts = source.tables.broadcasts?.broadcasts.tableName;
  // Rows of a restored backup that the operator holds.
  const isHeld = `EXISTS (SELECT 1 FROM ${source.queue.table} q WHERE q.id = message.id AND ${isHeldSql('q')})`;
  const isOf = (wanted: 'held' | 'closed'): string =>
    broadcasts === undefined
      ? 'FALSE'
      : `EXISTS (SELECT 1 FROM ${broadcasts} b WHERE b.id = message.broadcast_id AND b.status = '${wanted}')`;
  switch (status) {
    case 'sending':
      return { stored: 'queued', condition: isLeased };
    case 'held':
      return {
        stored: 'queued',
        condition: `NOT ${isLeased} AND ${isClosed ? `NOT ${isOf('closed')}` : `(${isOf('held')} OR ${isHeld})`}`,
      };
    case 'queued':
      return {
        stored: 'queued',
        condition: isClosed
          ? 'FALSE'
          : `NOT ${isLeased} AND NOT ${isHeld} AND NOT ${isOf('held')} AND NOT ${isOf('closed')}`,
      };
    case 'cancelled':
      return {
        stored: undefined,
        condition: `(message.status = 'cancelled' OR (message.status = 'queued' AND NOT ${isLeased} AND ${isOf('closed')}))`,
      };
    default:
      return { stored: status, condition: undefined };
  }
}
