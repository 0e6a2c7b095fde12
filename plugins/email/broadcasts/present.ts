import type { ValueOf } from '#core/kernel/schema/schema.js';
import { readCounts, shownCounts } from '#core/messaging/broadcasts/counts.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { emailChannel } from '../messages/channel.js';
import { broadcastTables, type BroadcastRow } from '../tables/broadcast.js';
import type { Broadcast } from './resources.js';

type Presented = ValueOf<typeof Broadcast>;

/** Presents broadcasts with their counts, in their order. */
export async function presentBroadcasts(
  db: Pick<ReadSession, 'rows'>,
  rows: readonly BroadcastRow[],
): Promise<Presented[]> {
  const started = rows.filter(({ sentAt }) => sentAt !== null).map(({ id }) => id);
  const counts = await readCounts(db, broadcastTables, emailChannel, started);
  return rows.map((row) => {
    const stored = counts.get(row.id);
    return presentBroadcast(row, stored ? shownCounts(stored, row.status) : null);
  });
}

/** A broadcast as replies and events carry it. */
export const presentBroadcast = (row: BroadcastRow, counts: Presented['counts']): Presented => ({
  id: row.id,
  name: row.name,
  template: row.template,
  templateVersion: row.templateVersion,
  from: row.fromAddress,
  topic: row.topic,
  subject: row.subject,
  segmentId: row.segmentId,
  variables: row.variables,
  scheduledAt: row.scheduledAt?.toISOString() ?? null,
  status: row.status,
  holdReason: row.holdReason,
  counts,
  sentAt: row.sentAt?.toISOString() ?? null,
  completedAt: row.completedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** One broadcast with its counts. */
export async function presentOne(db: Pick<ReadSession, 'rows'>, row: BroadcastRow): Promise<Presented> {
  const [presented] = await presentBroadcasts(db, [row]);
  if (!presented) throw new Error('One broadcast was given and none presented.');
  return presented;
}
