import type { ValueOf, object } from '#core/kernel/schema/schema.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { MessageDriver } from '../driver.js';
import type { MessageFields } from '../tables.js';
import { madeAudience, readCounts, shownCounts } from './counts.js';
import type { sharedFields } from './resources.js';
import type { BroadcastFields, BroadcastTables } from '../broadcast-tables.js';

/** The fields of a broadcast in replies and events on every channel. */
export type PresentedBroadcast = ValueOf<ReturnType<typeof object<typeof sharedFields>>>;

/** The outcome of a broadcast that was sent; null before that. */
export type Results = Pick<PresentedBroadcast, 'counts' | 'audience'> | null;

/** The shared fields of a broadcast as replies and events carry them. */
export const presentShared = (row: BroadcastFields, results: Results): PresentedBroadcast => ({
  id: row.id,
  name: row.name,
  template: row.template,
  templateVersion: row.templateVersion,
  topic: row.topic,
  segmentId: row.segmentId,
  variables: row.variables,
  scheduledAt: row.scheduledAt?.toISOString() ?? null,
  status: row.status,
  holdReason: row.holdReason,
  counts: results?.counts ?? null,
  audience: results?.audience ?? null,
  sentAt: row.sentAt?.toISOString() ?? null,
  completedAt: row.completedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Presents a channel's broadcasts with their counts. */
export interface BroadcastPresenter<B extends BroadcastFields, P> {
  readonly many: (db: Pick<ReadSession, 'rows'>, rows: readonly B[]) => Promise<P[]>;
  readonly one: (db: Pick<ReadSession, 'rows'>, row: B) => Promise<P>;
}

/** @param present makes a broadcast of its row and its results */
export function broadcastPresenter<B extends BroadcastFields, M extends MessageFields, P>(
  {
    tables,
    driver,
  }: { readonly tables: BroadcastTables<B>; readonly driver: Pick<MessageDriver<M>, 'queue' | 'chunks' | 'tables'> },
  present: (row: B, results: Results) => P,
): BroadcastPresenter<B, P> {
  const many: BroadcastPresenter<B, P>['many'] = async (db, rows) => {
    const started = rows.filter(({ sentAt }) => sentAt !== null).map(({ id }) => id);
    const counts = await readCounts(db, tables, driver, started);
    return rows.map((row) => {
      const stored = counts.get(row.id);
      const results = stored && { counts: shownCounts(stored, row.status), audience: madeAudience(stored, row) };
      return present(row, results ?? null);
    });
  };
  return {
    many,
    async one(db, row) {
      const [presented] = await many(db, [row]);
      if (!presented) throw new Error('One broadcast was given and none presented.');
      return presented;
    },
  };
}
