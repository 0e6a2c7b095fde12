import type { FullContext } from '#core/kernel/context.js';
import { closedEnvironments } from '#core/kernel/environment/environment.js';
import { environmentTurns } from '#core/kernel/environment/turns.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { minuteMs, shift } from '#core/runtime/clock.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { completeMany, lockLeases, postponeMany, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import type { AudienceRow, BroadcastFields, StoredCounts } from '../broadcast-tables.js';
import type { MessageFields } from '../tables.js';
import type { AudienceCounts } from './audience.js';
import type { BroadcastDriver } from './driver.js';
import { isCheckable } from './readiness.js';
import { countInBackground, none, readRow, type AudienceTables } from './stored-audience.js';

/** How long one step counts, in milliseconds. */
const stepMs = 2_000;
/** A count that took a minute is made again after 50 minutes; that of a draft from a year ago after three months. */
const leastPauseMs = 5 * minuteMs;
const pausesPerCount = 50;
const agePerPause = 4;

/** The queue of audiences that are counted in the background: one step of each in turn. */
export const audienceQueue = <B extends BroadcastFields, M extends MessageFields>(
  services: WorkerServices,
  kind: BroadcastDriver<B, M>,
): WorkQueue => ({
  ...kind.tables.audienceQueue,
  concurrency: 2,
  perPartition: () => 1,
  turnsOf: environmentTurns(services.database),
  excludedPartitions: [{ partitions: closedEnvironments }],
  perform: (claim) => countStep(services, kind, claim),
});

async function countStep<B extends BroadcastFields, M extends MessageFields>(
  services: WorkerServices,
  kind: BroadcastDriver<B, M>,
  claim: Claim,
): Promise<void> {
  const { database, clock } = services;
  const row = await readRow(database, kind.tables, claim.id, '');
  const broadcast = row && (await readBroadcast(database, kind, claim.id));
  const began = clock.now();
  const step =
    row && broadcast && isCheckable(broadcast)
      ? await services.read('Audience', (context) => count(context, kind, broadcast.environmentId, row))
      : null;
  await services.transaction('Audience', async (context) => {
    const leases = await lockLeases(context.db, kind.tables.audienceQueue, [claim]);
    if (!leases.has(claim)) return;
    const dueAt = row && step ? await record(context, kind.tables, row, step, began) : null;
    if (dueAt) await postponeMany(context.db, kind.tables.audienceQueue, [{ claim, dueAt }]);
    else {
      await countInBackground(context, kind.tables, { id: claim.id, environmentId: claim.partitionId }, null);
      await completeMany(context.db, kind.tables.audienceQueue, [claim]);
    }
  });
}

/** Counts a step further than a row says. @returns null if the segment was deleted */
async function count<B extends BroadcastFields, M extends MessageFields>(
  context: Pick<FullContext, 'use'>,
  kind: BroadcastDriver<B, M>,
  environmentId: string,
  { question: { topic, segmentId, properties }, lastContactId: after }: AudienceRow,
): Promise<AudienceCounts | null> {
  const audience = kind.audience(context);
  if (segmentId !== null && !(await audience.hasSegment(environmentId, segmentId))) return null;
  const options = { withinMs: stepMs, properties, after };
  return audience.countAudience(environmentId, { channel: kind.name, topic }, segmentId, options);
}

/** Stores a step. @returns when the next one is due */
async function record(
  { db, clock }: FullContext,
  tables: AudienceTables,
  before: AudienceRow,
  step: AudienceCounts,
  began: Date,
): Promise<Date> {
  const now = clock.now();
  const row = await readRow(db, tables, before.broadcastId, ' FOR UPDATE');
  // It was asked for something else meanwhile.
  if (row?.askedAt.getTime() !== before.askedAt.getTime()) return now;
  const soFar = sumOf(before.soFar ?? none, step);
  const startedAt = before.startedAt ?? began;
  const { isExact, reached } = step;
  // A step that got no further would be repeated at once for ever: it waits as a whole count does.
  const isStuck = !isExact && (reached ?? null) === before.lastContactId;
  await db.run(
    tables.audiences.updateRow(
      { broadcastId: before.broadcastId },
      isExact
        ? { counted: soFar, countedAt: startedAt, lastContactId: null, soFar: null, startedAt: null }
        : { soFar, lastContactId: reached ?? null, startedAt },
    ),
  );
  if (!isExact && !isStuck) return now;
  const took = now.getTime() - startedAt.getTime();
  const age = now.getTime() - before.askedAt.getTime();
  return shift(now, Math.max(leastPauseMs, pausesPerCount * took, age / agePerPause));
}

function sumOf(one: StoredCounts, other: AudienceCounts): StoredCounts {
  const merged = <K>(pairs: readonly (readonly [K, number])[], more: ReadonlyMap<K, number>): [K, number][] => {
    const sums = new Map(pairs);
    for (const [key, count] of more) sums.set(key, (sums.get(key) ?? 0) + count);
    return [...sums];
  };
  return {
    eligible: one.eligible + other.eligible,
    noConsent: one.noConsent + other.noConsent,
    optedOut: one.optedOut + other.optedOut,
    suppressed: one.suppressed + other.suppressed,
    countries: merged(one.countries, other.eligibleByCountry),
    without: merged(one.without, other.eligibleWithout),
  };
}

async function readBroadcast<B extends BroadcastFields, M extends MessageFields>(
  db: Pick<ReadSession, 'rows'>,
  { tables: { broadcasts } }: BroadcastDriver<B, M>,
  id: string,
): Promise<B | null> {
  const [row] = await db.rows<object>(`SELECT ${broadcasts.columnList()} FROM ${broadcasts.tableName} WHERE id = ?`, [
    idBytes(id),
  ]);
  return row ? broadcasts.decode(row) : null;
}
