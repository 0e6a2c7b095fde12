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
  'signatureBefore',
  'standardSignature',
  'standardSignatureBefore',
  'url',
  'responseStatus',
  'responseHeaders',
  'responseBody',
  'error',
  'durationMs',
  'attemptedAt',
  'nextAttemptAt',
] as const;

/** How the latest attempts of one endpoint ended, in the order in which they ended. */
interface Ending {
  readonly latest: Outcome;
  readonly hasSucceeded: boolean;
  /** Whether an attempt failed, and none succeeded after it. */
  readonly hasFailed: boolean;
  readonly isGone: boolean;
}

/**
 * Updates the time since which endpoints have been failing. It is read again here: it may have been set or cleared
 * while an attempt waited for its response. One success clears it. An endpoint that has failed for five days, or that
 * answers 410, is disabled. Tests of an endpoint and deliveries that were not sent do not count.
 */
async function recordHealth(context: Context<'developers.webhook.disabled'>, all: readonly Outcome[]): Promise<void> {
  const { db, clock } = context;
  const endings = endingsOf(all.filter(({ loaded }) => loaded.eventType !== testEvent && !loaded.isWithheld));
  if (endings.size === 0) return;
  const now = clock.now();
  const isOverdue = (since: Date | null): boolean =>
    clock.isTrusted() && since !== null && now.getTime() - since.getTime() >= disabledAfterMs;
  const known = await failingSince(db, [...endings.keys()], '');
  const changing = [...known].filter(([id, since]) => {
    const { hasSucceeded = false, hasFailed = false, isGone = false } = endings.get(id) ?? {};
    return (
      (hasSucceeded && since !== null) || isGone || (hasFailed && (since === null || since > now || isOverdue(since)))
    );
  });
  // The outcomes of all tenants are recorded in one transaction, so it must not wait for a call that changes one
  // endpoint. The next outcome of that endpoint updates its health.
  const locked = await failingSince(
    db,
    changing.map(([id]) => id),
    'FOR UPDATE SKIP LOCKED',
  );
  const cleared: Buffer[] = [];
  const begun: Buffer[] = [];
  for (const [id, since] of locked) {
    const ending = endings.get(id);
    if (ending?.hasSucceeded === true && since !== null) cleared.push(idBytes(id));
    // A time in the future was recorded while the clock was ahead.
    if (ending?.hasFailed === true && (ending.hasSucceeded || since === null || since > now)) begun.push(idBytes(id));
  }
  if (cleared.length > 0) await db.run('UPDATE developers_webhook SET failing_since = NULL WHERE id IN (?)', [cleared]);
  if (begun.length > 0) await db.run('UPDATE developers_webhook SET failing_since = ? WHERE id IN (?)', [now, begun]);
  for (const [id, since] of locked) {
    const ending = endings.get(id);
    if (!ending) continue;
    const { loaded, attempted } = ending.latest;
    if (ending.isGone) await disableGone(context, loaded.environment, id, loaded.endpoint.url, attempted.at);
    else if (ending.hasFailed && !ending.hasSucceeded && isOverdue(since))
      await disableFailing(context, loaded.environment, id);
  }
}

/** How the attempts of each endpoint ended. @param outcomes in the order in which they ended */
function endingsOf(outcomes: readonly Outcome[]): ReadonlyMap<string, Ending> {
  const endings = new Map<string, Ending>();
  for (const outcome of outcomes) {
    const { loaded, attempted } = outcome;
    const before = endings.get(loaded.endpoint.id);
    const isSuccess = attempted.error === null;
    const isGone = attempted.responseStatus === goneStatus;
    endings.set(loaded.endpoint.id, {
      latest: isGone || before?.isGone !== true ? outcome : before.latest,
      hasSucceeded: isSuccess || before?.hasSucceeded === true,
      hasFailed: !isSuccess,
      isGone: isGone || before?.isGone === true,
    });
  }
  return endings;
}

/** Since when endpoints have been failing, by endpoint; null for those whose last attempt succeeded. */
async function failingSince(
  db: Session,
  ids: readonly string[],
  lock: 'FOR UPDATE SKIP LOCKED' | '',
): Promise<ReadonlyMap<string, Date | null>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<{ id: Buffer; failing_since: Date | null }>(
    `SELECT id, failing_since FROM developers_webhook FORCE INDEX (PRIMARY) WHERE id IN (?) ORDER BY id ${lock}`,
    [ids.map(idBytes)],
  );
  return new Map(rows.map((row) => [idText(row.id), row.failing_since]));
}
