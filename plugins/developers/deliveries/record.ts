import type { Context } from '#core/kernel/context.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText, newId } from '#core/runtime/id.js';
import { completeMany, laneNames, lockLeases, type Claim } from '#core/runtime/work/queue.js';
import { plannedDelivery, enqueueDeliveries } from './enqueue.js';
import { deliveryQueue, deliveries, type DeliveryRow } from '../tables/delivery.js';
import { goneStatus, nextAttempt } from './schedule.js';
import type { Attempted } from './attempt.js';
import { disableFailing, disabledAfterMs, disableGone } from '../webhooks/disable-failing.js';
import { testEvent } from '../webhooks/health.js';
import type { LoadedDelivery } from './load.js';

export interface Outcome {
  claim: Pick<Claim, 'id' | 'leaseToken'>;
  loaded: LoadedDelivery;
  attempted: Attempted;
}

/**
 * Records the outcomes of attempts in one transaction: the delivery rows, the next attempts and the endpoints' health.
 * Outcomes whose lease was lost are skipped.
 * @returns for each outcome whether it was recorded
 */
export async function recordOutcomes(
  { transaction }: Pick<WorkerServices, 'transaction'>,
  outcomes: readonly Outcome[],
): Promise<boolean[]> {
  return transaction('Webhook delivery', async (context) => {
    const leased = await lockLeases(
      context.db,
      deliveryQueue,
      outcomes.map(({ claim }) => claim),
    );
    const valid = outcomes.filter(({ claim }) => leased.has(claim));
    if (valid.length === 0) return outcomes.map(() => false);
    const rows = valid.map(afterAttempt);
    await completeMany(
      context.db,
      deliveryQueue,
      valid.map(({ claim }) => claim),
    );
    await context.db.defer(deliveries.upsertRows(rows, attemptFields));
    for (const lane of laneNames) {
      const rowsOfLane = rows.filter((_, index) => valid[index]?.loaded.lane === lane);
      await enqueueDeliveries(context.db, rowsOfLane.flatMap(nextAttempts), lane);
    }
    await recordHealth(context, valid);
    return outcomes.map(({ claim }) => leased.has(claim));
  });
}

/** The row of a delivery after its attempt. */
function afterAttempt({ loaded, attempted }: Outcome): DeliveryRow {
  const { at, error, retryAfterMs, ...result } = attempted;
  const isLast = error === null || loaded.isWithheld || attempted.responseStatus === goneStatus;
  const next = isLast ? null : nextAttempt(loaded.attempt, loaded.eventType, at, retryAfterMs);
  return {
    id: loaded.id,
    environmentId: loaded.environment.id,
    endpointId: loaded.endpoint.id,
    eventId: loaded.eventId,
    eventType: loaded.eventType,
    chainId: loaded.chainId,
    attempt: loaded.attempt,
    replayOf: loaded.replayOf,
    scheduledAt: loaded.scheduledAt,
    ...result,
    url: loaded.endpoint.url,
    error,
    // A failed test never becomes dead, because developers.webhook.deliveries.replay would send it again.
    status: error === null ? 'delivered' : next || loaded.eventType === testEvent ? 'failed' : 'dead',
    attemptedAt: at,
    nextAttemptAt: next,
  };
}

/** The next scheduled attempt after a failed one; empty if there is none. */
const nextAttempts = ({ nextAttemptAt, attempt, id, ...row }: DeliveryRow): DeliveryRow[] =>
  nextAttemptAt ? [plannedDelivery({ ...row, id: newId(), attempt: attempt + 1, scheduledAt: nextAttemptAt })] : [];

/** What an attempt changes in the row of its delivery. */
const attemptFields = [
  'status',
  'signedAt',
  'signature',
  'url',
  'responseStatus',
  'responseHeaders',
  'responseBody',
  'error',
  'durationMs',
  'attemptedAt',
  'nextAttemptAt',
] as const;

/**
 * Updates the time since which endpoints have been failing. One success clears it. An endpoint that has failed for five
 * days, or that answers 410, is disabled. Tests of an endpoint and deliveries that were not sent do not count.
 */
async function recordHealth(context: Context<'developers.webhook.disabled'>, all: readonly Outcome[]): Promise<void> {
  const { db, clock } = context;
  const outcomes = all.filter(({ loaded }) => loaded.eventType !== testEvent && !loaded.isWithheld);
  const idsOf = (list: readonly Outcome[]): string[] => [...new Set(list.map(({ loaded }) => loaded.endpoint.id))];
  const succeeded = new Set(idsOf(outcomes.filter(({ attempted }) => attempted.error === null)));
  const failed = outcomes.filter(({ loaded }) => !succeeded.has(loaded.endpoint.id));
  const recovered = outcomes.filter(
    ({ loaded: { endpoint } }) => succeeded.has(endpoint.id) && endpoint.failingSince !== null,
  );
  const now = clock.now();
  const gone = outcomes.filter(({ attempted }) => attempted.responseStatus === goneStatus);
  // A time in the future was recorded while the clock was ahead.
  const newlyFailing = failed.filter(
    ({ loaded: { endpoint } }) => endpoint.failingSince === null || endpoint.failingSince > now,
  );
  const overdue = failed.filter(
    ({ loaded: { endpoint } }) =>
      clock.isTrusted() &&
      endpoint.failingSince !== null &&
      clock.now().getTime() - endpoint.failingSince.getTime() >= disabledAfterMs,
  );
  const free = await lockFree(db, idsOf([...recovered, ...newlyFailing, ...gone, ...overdue]));
  const freeOf = (list: readonly Outcome[]): Outcome[] => list.filter(({ loaded }) => free.has(loaded.endpoint.id));
  const recoveredIds = idsOf(freeOf(recovered)).map(idBytes);
  if (recoveredIds.length > 0)
    await db.run('UPDATE developers_webhook SET failing_since = NULL WHERE id IN (?)', [recoveredIds]);
  const failingIds = idsOf(freeOf(newlyFailing)).map(idBytes);
  if (failingIds.length > 0) {
    await db.run(
      'UPDATE developers_webhook SET failing_since = ? WHERE id IN (?) AND (failing_since IS NULL OR failing_since > ?)',
      [now, failingIds, now],
    );
  }
  for (const [endpointId, { loaded }] of byEndpoint(freeOf(gone))) {
    await disableGone(context, loaded.environment, endpointId, loaded.endpoint.url);
  }
  for (const [endpointId, { loaded }] of byEndpoint(freeOf(overdue))) {
    await disableFailing(context, loaded.environment, endpointId);
  }
}

/**
 * Locks the endpoints that no other transaction has locked. The outcomes of all tenants are recorded in one
 * transaction, so it must not wait for a call that changes one endpoint. The next outcome of that endpoint updates its
 * health.
 */
async function lockFree(db: Session, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.rows<{ id: Buffer }>(
    'SELECT id FROM developers_webhook WHERE id IN (?) ORDER BY id FOR UPDATE SKIP LOCKED',
    [ids.map(idBytes)],
  );
  return new Set(rows.map(({ id }) => idText(id)));
}

/** One outcome per endpoint. */
const byEndpoint = (outcomes: readonly Outcome[]): ReadonlyMap<string, Outcome> =>
  new Map(outcomes.map((outcome) => [outcome.loaded.endpoint.id, outcome]));
