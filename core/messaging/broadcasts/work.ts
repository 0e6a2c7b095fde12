import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext, ReadContext } from '#core/kernel/context.js';
import type { ErrorCode } from '#core/kernel/errors/errors.js';
import { closedEnvironments, findEnvironment } from '#core/kernel/environment/environment.js';
import { environmentTurns } from '#core/kernel/environment/turns.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { shift } from '#core/runtime/clock.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes } from '#core/runtime/id.js';
import { completeMany, lanes, lockLeases, postponeMany, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import type { MessageFields } from '../tables.js';
import { countAudienceOf } from './audience.js';
import { cancelMessages } from './cancel-rest.js';
import { holdBroadcast, startBroadcast } from './change-status.js';
import type { BroadcastDriver, ReserveCost } from './driver.js';
import { wasDueWhileClosed } from './closure.js';
import { completeStatement } from '../broadcast-counts.js';
import { CapReached, contactsPerBatch, finishFanOut, makeMessages } from './fan-out.js';
import type { BroadcastFields, SystemHold } from '../broadcast-tables.js';

/** Messages of a cancelled broadcast that workers have leased are looked for again after this. */
const leasedRetryMs = 1_000;

/** The lease was lost, or the broadcast changed, while a batch was written: the batch is rolled back. */
class BatchAbandoned extends Error {
  override readonly name = 'BatchAbandoned';
}

/**
 * The queue of broadcasts: starts scheduled ones, makes the messages of those being sent, and ends the messages of
 * cancelled ones. Each claim does one batch in one transaction; then other accounts and environments have their turn.
 */
export const broadcastQueue = <B extends BroadcastFields, M extends MessageFields>(
  services: WorkerServices,
  kind: BroadcastDriver<B, M>,
): WorkQueue => ({
  ...kind.tables.queue,
  concurrency: 3,
  perPartition: () => 1,
  turnsOf: environmentTurns(services.database),
  excludedPartitions: [{ partitions: closedEnvironments }],
  chosenTime: `EXISTS (SELECT 1 FROM ${kind.tables.broadcasts.tableName} b WHERE b.id = work.id AND b.scheduled_at = work.due_at)`,
  plannedTime: `SELECT b.scheduled_at FROM ${kind.tables.broadcasts.tableName} b WHERE b.id = work.id`,
  async perform(claim) {
    try {
      await runBatch(services, kind, claim);
    } catch (error) {
      if (error instanceof CapReached) {
        await holdForCap(services, kind, claim);
        return;
      }
      if (!(error instanceof BatchAbandoned)) throw error;
      const { database, clock } = services;
      await database.transaction(async (db) => {
        const leases = await lockLeases(db, kind.tables.queue, [claim]);
        if (leases.has(claim)) await postponeMany(db, kind.tables.queue, [{ claim, dueAt: clock.now() }]);
      });
    }
  },
});

async function runBatch<B extends BroadcastFields, M extends MessageFields>(
  services: WorkerServices,
  kind: BroadcastDriver<B, M>,
  claim: Claim,
): Promise<void> {
  const { database } = services;
  const found = await readBroadcast(database, kind, claim.id, '');
  const environment = found && (await findEnvironment(database, found.environmentId));
  // Counting the audience may take seconds, so it is done before anything is locked.
  const checks =
    found && environment
      ? await services.read('Broadcast', (context) => checkBatch(context, kind, found, environment))
      : noChecks;
  await services.transaction('Broadcast', async (context) => {
    const broadcast = await readBroadcast(context.db, kind, claim.id, '');
    if (!broadcast || !environment) {
      await end(context, kind, claim);
      return;
    }
    context.actIn(environment, broadcast.activityId);
    const next = await advance(context, kind, broadcast, environment, checks);
    const leases = await lockLeases(context.db, kind.tables.queue, [claim]);
    if (!leases.has(claim)) throw new BatchAbandoned();
    if (next === 'done') await end(context, kind, claim);
    else await postponeMany(context.db, kind.tables.queue, [{ claim, dueAt: next }]);
  });
  crashPoint(`${kind.name}.broadcast.batch`);
}

/** The facts about a broadcast before its next batch. */
interface BatchChecks {
  /** Why a scheduled one cannot start, or one that is being sent cannot continue; null if it can. */
  readonly problem: SystemHold | null;
  /** Reserves the cost of the messages that are not yet created; null if nothing must be reserved. */
  readonly reserve: ReserveCost | null;
}

const noChecks: BatchChecks = { problem: null, reserve: null };

async function checkBatch<B extends BroadcastFields, M extends MessageFields>(
  context: ReadContext<ErrorCode>,
  kind: BroadcastDriver<B, M>,
  broadcast: B,
  environment: Environment,
): Promise<BatchChecks> {
  const { status, fannedOutAt } = broadcast;
  const problem =
    status === 'scheduled'
      ? await startProblem(context, kind, broadcast, environment)
      : status === 'sending'
        ? ((await kind.sendingProblem?.(context, environment, broadcast)) ?? null)
        : null;
  const isMaking = problem === null && (status === 'scheduled' || (status === 'sending' && fannedOutAt === null));
  return { problem, reserve: isMaking ? await kind.reservation(context, environment, broadcast) : null };
}

async function startProblem<B extends BroadcastFields, M extends MessageFields>(
  context: ReadContext<ErrorCode>,
  kind: BroadcastDriver<B, M>,
  broadcast: B,
  environment: Environment,
): Promise<SystemHold | null> {
  const problem = await kind.startProblem(context, environment, broadcast);
  if (problem !== null) return problem;
  const { eligible } = await countAudienceOf(kind.audience(context), kind.name, broadcast);
  return eligible > context.deployment.settings.broadcastRecipients ? 'audience_too_large' : null;
}

/** Holds a broadcast whose next batch would cross the account's cap. Its work ends; resuming queues it again. */
async function holdForCap<B extends BroadcastFields, M extends MessageFields>(
  services: WorkerServices,
  kind: BroadcastDriver<B, M>,
  claim: Claim,
): Promise<void> {
  await services.transaction('Broadcast', async (context) => {
    const { db } = context;
    await db.rows(`SELECT queued FROM ${kind.tables.counts.tableName} WHERE broadcast_id = ? FOR UPDATE`, [
      idBytes(claim.id),
    ]);
    const broadcast = await readBroadcast(db, kind, claim.id, ' FOR UPDATE');
    const environment = broadcast && (await findEnvironment(db, broadcast.environmentId));
    const leases = await lockLeases(db, kind.tables.queue, [claim]);
    if (!leases.has(claim)) return;
    if (broadcast?.status === 'sending' && environment) {
      context.actIn(environment, broadcast.activityId);
      const after = await holdBroadcast(context, kind, broadcast, { reason: 'spending_cap', environment });
      await kind.emitStatus(context, 'paused', after, environment);
      await kind.metering(context).noteReached(environment);
      // Resuming it reserves the cost of the remaining messages again.
      await kind.metering(context).returnReserved(broadcast.id);
    }
    await end(context, kind, claim);
  });
}

/**
 * Does the next batch of a broadcast. @returns when the next one is due; `done` when there is none until its status
 * changes
 */
async function advance<B extends BroadcastFields, M extends MessageFields>(
  context: FullContext,
  kind: BroadcastDriver<B, M>,
  broadcast: B,
  environment: Environment,
  { problem, reserve }: BatchChecks,
): Promise<Date | 'done'> {
  const now = context.clock.now();
  if (broadcast.status === 'sending' && broadcast.fannedOutAt === null && problem === null) {
    if (reserve && !(await reserve(context))) throw new CapReached();
    const { environmentId, segmentId, lastContactId } = broadcast;
    const audience = kind.audience(context);
    const batch = await audience.contactsAfter(environmentId, segmentId, lastContactId, contactsPerBatch);
    if (batch) {
      if (!(await makeMessages(context, kind, broadcast, environment, batch))) throw new BatchAbandoned();
      return now;
    }
  }
  if (broadcast.status === 'closed') {
    if ((await cancelMessages(context, kind, broadcast, environment)) > 0) return now;
    if (await hasQueued(context, kind, broadcast.id)) return shift(now, leasedRetryMs);
    await context.db.run(completeStatement(kind.tables, broadcast.id, now));
    return 'done';
  }
  // The counts before the broadcast, in the same order in which recording outcomes locks them.
  await context.db.rows(`SELECT queued FROM ${kind.tables.counts.tableName} WHERE broadcast_id = ? FOR UPDATE`, [
    idBytes(broadcast.id),
  ]);
  // Locked, so that a call that changes the status sees this row of work gone, or this sees the new status.
  const locked = await readBroadcast(context.db, kind, broadcast.id, ' FOR UPDATE');
  if (!locked || locked.status !== broadcast.status) return now;
  if (locked.status === 'scheduled') {
    // Its time was changed after this row of work was claimed.
    if (locked.scheduledAt !== null && locked.scheduledAt > now) return locked.scheduledAt;
    const reason = (await wasDueWhileClosed(context.db, locked))
      ? 'account_closed'
      : (problem ?? (reserve && !(await reserve(context)) ? 'spending_cap' : null));
    if (reason === null) await startBroadcast(context, kind, locked);
    else await holdAndReport(context, kind, locked, { reason, environment });
    return now;
  }
  if (locked.status === 'sending' && problem !== null) {
    await holdAndReport(context, kind, locked, { reason: problem, environment });
    return 'done';
  }
  if (locked.status === 'sending' && locked.fannedOutAt === null) {
    await finishFanOut(context, kind, locked);
    await kind.metering(context).returnReserved(locked.id);
    await kind.freeReferences(context, locked.id);
  }
  return 'done';
}

async function holdAndReport<B extends BroadcastFields, M extends MessageFields>(
  context: FullContext,
  kind: BroadcastDriver<B, M>,
  broadcast: B,
  why: { reason: SystemHold; environment: Environment },
): Promise<void> {
  await kind.emitStatus(context, 'paused', await holdBroadcast(context, kind, broadcast, why), why.environment);
}

async function hasQueued<B extends BroadcastFields, M extends MessageFields>(
  { db }: FullContext,
  { driver }: BroadcastDriver<B, M>,
  broadcastId: string,
): Promise<boolean> {
  for (const queue of driver.chunks === undefined ? [driver.queue] : [driver.queue, driver.chunks]) {
    const rows = await db.rows(
      `SELECT id FROM ${queue.table} WHERE partition_id = ? AND lane = ${lanes.bulk} AND leased IN (0, 1) LIMIT 1`,
      [idBytes(broadcastId)],
    );
    if (rows.length > 0) return true;
  }
  return false;
}

const end = <B extends BroadcastFields, M extends MessageFields>(
  { db }: FullContext,
  { tables }: BroadcastDriver<B, M>,
  claim: Claim,
): Promise<void> => completeMany(db, tables.queue, [claim]);

async function readBroadcast<B extends BroadcastFields, M extends MessageFields>(
  db: Pick<FullContext['db'], 'rows'>,
  { tables }: BroadcastDriver<B, M>,
  id: string,
  locking: '' | ' FOR UPDATE',
): Promise<B | null> {
  const [row] = await db.rows<object>(
    `SELECT ${tables.broadcasts.columnList()} FROM ${tables.broadcasts.tableName} WHERE id = ?${locking}`,
    [idBytes(id)],
  );
  return row ? tables.broadcasts.decode(row) : null;
}
