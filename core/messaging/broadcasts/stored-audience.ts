import type { Context } from '#core/kernel/context.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { orUpdate } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { enqueueStatement } from '#core/runtime/work/queue.js';
import type {
  AudienceQuestion,
  AudienceRow,
  BroadcastFields,
  BroadcastTables,
  StoredCounts,
} from '../broadcast-tables.js';
import type { AudienceCounts } from './audience.js';

/*
 * A call counts an audience for a few seconds. If that is not enough, a worker counts it to its end, a step at a time,
 * and again from time to time while the broadcast waits. Calls then show the stored counts with their time.
 */

/** An audience as it is stored. */
interface StoredAudience {
  /** What was counted so far, if it was never counted to its end. */
  readonly counts: AudienceCounts;
  /** When the count began; null if it was never counted to its end. */
  readonly countedAt: Date | null;
}

export type AudienceTables = Pick<BroadcastTables, 'audiences' | 'audienceQueue'>;

const sameQuestion = (one: AudienceQuestion, other: AudienceQuestion): boolean =>
  one.topic === other.topic &&
  one.segmentId === other.segmentId &&
  one.properties.length === other.properties.length &&
  one.properties.every((name) => other.properties.includes(name));

/** The stored counts of a broadcast. @returns null if this was not asked for, or something else was */
export async function storedAudience(
  db: Pick<ReadSession, 'rows'>,
  tables: AudienceTables,
  broadcastId: string,
  question: AudienceQuestion,
): Promise<StoredAudience | null> {
  const row = await readRow(db, tables, broadcastId, '');
  if (!row || !sameQuestion(row.question, question)) return null;
  return { counts: countsOf(row.counted ?? row.soFar ?? none, row.counted !== null), countedAt: row.countedAt };
}

/**
 * Has the audience of a draft counted in the background.
 * @param question null if nothing is left to count: the stored count is removed
 */
export async function countInBackground(
  { db, clock, wake }: Pick<Context, 'db' | 'clock' | 'wake'>,
  { audiences, audienceQueue }: AudienceTables,
  { id, environmentId }: Pick<BroadcastFields, 'id' | 'environmentId'>,
  question: AudienceQuestion | null,
): Promise<void> {
  if (question === null) {
    await db.defer({ sql: `DELETE FROM ${audiences.tableName} WHERE broadcast_id = ?`, parameters: [idBytes(id)] });
    return;
  }
  const now = clock.now();
  const fresh = { lastContactId: null, startedAt: null, soFar: null, countedAt: null, counted: null };
  await db.run(
    audiences.upsertRows(
      [{ broadcastId: id, question, askedAt: now, ...fresh }],
      ['question', 'askedAt', 'lastContactId', 'startedAt', 'soFar', 'countedAt', 'counted'],
    ),
  );
  const enqueue = enqueueStatement(audienceQueue, [{ id, partitionId: environmentId, lane: 'bulk', dueAt: now }]);
  await db.run(orUpdate(enqueue, 'due_at = VALUES(due_at)'));
  wake(audienceQueue.name);
}

/** Before the first step of a count. */
export const none: StoredCounts = { eligible: 0, noConsent: 0, optedOut: 0, suppressed: 0, countries: [], without: [] };

const countsOf = ({ countries, without, ...counts }: StoredCounts, isExact: boolean): AudienceCounts => ({
  ...counts,
  eligibleByCountry: new Map(countries),
  eligibleWithout: new Map(without),
  isExact,
});

/** The stored audience of a broadcast. */
export async function readRow(
  db: Pick<ReadSession, 'rows'>,
  { audiences }: AudienceTables,
  broadcastId: string,
  locking: '' | ' FOR UPDATE',
): Promise<AudienceRow | null> {
  const [row] = await db.rows<object>(
    `SELECT ${audiences.columnList()} FROM ${audiences.tableName} WHERE broadcast_id = ?${locking}`,
    [idBytes(broadcastId)],
  );
  return row ? audiences.decode(row) : null;
}
