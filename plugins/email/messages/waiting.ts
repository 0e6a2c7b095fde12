import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { leasedIds } from '#core/runtime/work/queue.js';
import type { MessageStatus, Waiting } from '#core/messaging/tables.js';
import { broadcastStatuses, type BroadcastStatus } from '#core/messaging/broadcasts/tables.js';
import { broadcasts } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import { deliveryQueueRef } from './channel.js';

/** What the shown status of messages depends on beside their rows. @returns by message id */
export async function waitingOf(
  db: Session,
  messages: readonly MessageRow[],
  isClosed: boolean,
): Promise<ReadonlyMap<string, Waiting>> {
  const queued = messages.filter(({ status }) => status === 'queued');
  const ids = [...new Set(queued.flatMap(({ broadcastId }) => broadcastId ?? []))];
  const [leased, rows] = await Promise.all([
    leasedIds(
      db,
      deliveryQueueRef,
      queued.map(({ id }) => id),
    ),
    ids.length === 0
      ? []
      : db.rows<{ id: Buffer; status: Buffer }>(`SELECT id, status FROM ${broadcasts.tableName} WHERE id IN (?)`, [
          ids.map(idBytes),
        ]),
  ]);
  const statuses = new Map(rows.map((row) => [idText(row.id), broadcastStatus(row.status)]));
  return new Map(
    messages.map(({ id, broadcastId }) => [
      id,
      {
        isLeased: leased.has(id),
        isClosed,
        broadcast: broadcastId === null ? null : (statuses.get(broadcastId) ?? null),
      },
    ]),
  );
}

const broadcastStatus = (stored: Buffer): BroadcastStatus | null =>
  broadcastStatuses.find((each) => each === stored.toString()) ?? null;

const isLeased = `EXISTS (SELECT 1 FROM ${deliveryQueueRef.table} q WHERE q.id = message.id AND q.leased = 1)`;
const isOf = (status: 'held' | 'closed'): string =>
  `EXISTS (SELECT 1 FROM ${broadcasts.tableName} b WHERE b.id = message.broadcast_id AND b.status = '${status}')`;

/** SQL for the messages that are shown with a status (`shownStatus`), with its parameters. */
export function shownWith(status: MessageStatus, isClosed: boolean): [string, { stored: Buffer; queued: Buffer }] {
  const parameters = { stored: Buffer.from(status), queued: Buffer.from('queued') };
  const waits = `message.status = :queued AND NOT ${isLeased}`;
  switch (status) {
    case 'sending':
      return [`message.status = :queued AND ${isLeased}`, parameters];
    case 'held':
      return [`${waits} AND ${isClosed ? `NOT ${isOf('closed')}` : isOf('held')}`, parameters];
    case 'queued':
      return [isClosed ? 'FALSE' : `${waits} AND NOT ${isOf('held')} AND NOT ${isOf('closed')}`, parameters];
    case 'cancelled':
      return [`(message.status = :stored OR (${waits} AND ${isOf('closed')}))`, parameters];
    default:
      return ['message.status = :stored', parameters];
  }
}
