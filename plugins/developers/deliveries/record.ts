import type { Context } from '#core/kernel/context.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { insertInto } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { completeMany, lockLeases, type Claim } from '#core/runtime/work/queue.js';
import { deliveryColumns, plannedDelivery, queueDeliveries, deliveryQueue } from './list.js';
import { disabledAfterMs, nextAttempt } from './schedule.js';
import type { DeliveryRow } from '../tables/delivery.js';
import type { Attempted } from './attempt.js';
import { disableFailing } from '../webhooks/disable-failing.js';
import type { LoadedDelivery } from './load.js';

export interface Outcome {
  claim: Pick<Claim, 'id' | 'leaseToken'>;
  loaded: LoadedDelivery;
  attempted: Attempted;
}

/**
 * Records attempts: their rows, the attempts that follow, and the endpoints' health, in one transaction for many - and only those
 * whose lease still holds.
 * @returns for each whether it was recorded
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
    const mine = outcomes.filter(({ claim }) => leased.has(claim.id));
    if (mine.length === 0) return outcomes.map(() => false);
    const rows = mine.map(afterAttempt);
    await completeMany(
      context.db,
      deliveryQueue,
      mine.map(({ claim }) => claim),
    );
    await writeRows(context, rows);
    await queueDeliveries(context.db, rows.flatMap(following));
    await noteHealth(context, mine);
    return outcomes.map(({ claim }) => leased.has(claim.id));
  });
}

function afterAttempt({ loaded, attempted }: Outcome): DeliveryRow {
  const { at, error, ...facts } = attempted;
  const next = error === null ? null : nextAttempt(loaded.attempt, at);
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
    ...facts,
    url: loaded.endpoint.url,
    error,
    status: error === null ? 'delivered' : next ? 'failed' : 'dead',
    attemptedAt: at,
    nextAttemptAt: next,
  };
}

/** The attempt that the schedule has after a failed one. */
const following = ({ nextAttemptAt, attempt, id, ...row }: DeliveryRow): DeliveryRow[] =>
  nextAttemptAt ? [plannedDelivery({ ...row, id: newId(), attempt: attempt + 1, scheduledAt: nextAttemptAt })] : [];

/** Records what came of attempts, many in one statement. */
async function writeRows({ db }: Context, rows: readonly DeliveryRow[]): Promise<void> {
  const written = insertInto('developers_delivery', rows.map(deliveryColumns));
  const changing = [
    'status',
    'signed_at',
    'signature',
    'url',
    'response_status',
    'response_headers',
    'response_body',
    'error',
    'duration_ms',
    'attempted_at',
    'next_attempt_at',
  ];
  const updates = changing.map((column) => `${column} = VALUES(${column})`).join(', ');
  await db.defer(`${written.sql} ON DUPLICATE KEY UPDATE ${updates}`, written.parameters);
}

/** When a run of failures began, or that it ended. One answer that is well ends it; five days without one disable the endpoint. */
async function noteHealth(
  context: Context<'developers.webhook.disabled'>,
  outcomes: readonly Outcome[],
): Promise<void> {
  const { db, clock } = context;
  const well = new Set(
    outcomes.filter(({ attempted }) => attempted.error === null).map(({ loaded }) => loaded.endpoint.id),
  );
  const recovered = outcomes.filter(
    ({ loaded }) => well.has(loaded.endpoint.id) && loaded.endpoint.failingSince !== null,
  );
  const ill = outcomes.filter(({ loaded }) => !well.has(loaded.endpoint.id));
  const begun = ill.filter(({ loaded }) => loaded.endpoint.failingSince === null);
  const ids = (some: readonly Outcome[]): Buffer[] =>
    [...new Set(some.map(({ loaded }) => loaded.endpoint.id))].map(idBytes);
  if (recovered.length > 0)
    await db.run('UPDATE developers_webhook SET failing_since = NULL WHERE id IN (?)', [ids(recovered)]);
  if (begun.length > 0) {
    await db.run('UPDATE developers_webhook SET failing_since = ? WHERE id IN (?) AND failing_since IS NULL', [
      clock.now(),
      ids(begun),
    ]);
  }
  const overdue = ill.filter(
    ({ loaded: { endpoint } }) =>
      endpoint.failingSince !== null && clock.now().getTime() - endpoint.failingSince.getTime() >= disabledAfterMs,
  );
  for (const [endpointId, { loaded }] of new Map(overdue.map((outcome) => [outcome.loaded.endpoint.id, outcome]))) {
    await disableFailing(context, loaded.environment, endpointId);
  }
}
