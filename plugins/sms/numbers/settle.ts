import { lockOne } from '#core/runtime/database/lock-one.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { findEnvironment, lockEnvironment } from '#core/kernel/environment/environment.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { shift } from '#core/runtime/clock.js';
import type { Session } from '#core/runtime/database/session.js';
import { crashPoint } from '#core/runtime/fault.js';
import { completeMany, lockLeases, postponeMany, type Lease } from '#core/runtime/work/queue.js';
import { metering } from '#plugins/billing/ports.js';
import type { ProviderNumber, ProviderProblem, ProviderResult, SmsProvider } from '../providers/provider.js';
import { numberQueueRef, numbers, type NumberRow } from '../tables/number.js';
import { makeDefault } from './default-number.js';
import { presentNumber } from './present.js';
import { rentOf } from './rent.js';

/** The outcome of a purchase: the number is ours, it is not available, or the outcome is not known yet. */
type Settlement =
  | { readonly kind: 'ours'; readonly bought: ProviderNumber }
  | { readonly kind: 'gone'; readonly problem: string }
  | ({ readonly kind: 'refused' } & ProviderProblem)
  | ({ readonly kind: 'unknown' } & ProviderProblem);

/**
 * Buys exactly the number of a purchase. A provider that gets the same order twice buys twice. The number is therefore
 * looked up first, unless no earlier attempt is possible, and again if an answer is missing.
 * @param by the call that makes the purchase; a call that repeats it; or a worker, which buys nothing for a call that
 * was refused
 */
export async function buy(
  provider: SmsProvider,
  row: NumberRow,
  by: 'first call' | 'repeat' | 'worker',
): Promise<Settlement> {
  const known = by === 'first call' ? null : await lookUp(provider, row);
  if (known) return known;
  if (by === 'worker' && row.refusedAt)
    return { kind: 'gone', problem: `${row.number} was not bought before its call was refused` };
  const answer = await provider.buyNumber(row.number);
  crashPoint('sms.number.bought');
  if (answer.ok)
    return answer.value ? ours(answer.value) : { kind: 'gone', problem: `${row.number} is no longer available` };
  if (!answer.isTemporary) return { ...answer, kind: 'refused' };
  return (await lookUp(provider, row)) ?? { ...answer, kind: 'unknown' };
}

const ours = (bought: ProviderNumber): Settlement => ({ kind: 'ours', bought });

/** @returns null if the number is not ours */
async function lookUp(provider: SmsProvider, { number }: NumberRow): Promise<Settlement | null> {
  const found: ProviderResult<ProviderNumber | null> = await provider.findNumber(number);
  if (!found.ok) return { ...found, kind: 'unknown' };
  return found.value && ours(found.value);
}

/**
 * When a worker looks up the outcome of a purchase whose call was refused. Until then, a repeated call can resume it.
 */
const lookedUpAfterMs = 15 * 60_000;

/**
 * Records the outcome of a purchase, if its lease still holds.
 * @returns the number as it is now; null if the lease was lost
 */
export async function recordSettlement(
  { transaction }: Pick<WorkerServices, 'transaction'>,
  lease: Lease,
  settlement: Settlement,
): Promise<NumberRow | null> {
  return transaction('Numbers', async (context) => {
    const { db, clock, actIn } = context;
    const known = await db.findOne(numbers, { id: lease.id });
    // Before the number, as in the operations: in another order, the two would wait for each other.
    if (known) await lockEnvironment(db, known.environmentId);
    const row = await lockNumber(db, lease.id);
    if (!(await lockLeases(db, numberQueueRef, [lease])).has(lease)) return null;
    const environment = row && (await findEnvironment(db, row.environmentId));
    if (!environment) return null;
    actIn(environment, row.activityId);
    if (settlement.kind === 'unknown') {
      const refusedAt = clock.now();
      await db.update(numbers, { id: row.id }, { refusedAt });
      await postponeMany(db, numberQueueRef, [{ claim: lease, dueAt: shift(refusedAt, lookedUpAfterMs) }]);
      return { ...row, refusedAt };
    }
    await completeMany(db, numberQueueRef, [lease]);
    if (settlement.kind === 'ours') return recordAssigned(context, environment, row, settlement.bought);
    const changes = { status: 'failed', heldNumber: null } as const;
    await db.update(numbers, { id: row.id }, changes);
    await context.use(metering).reverse(environment, [rentOf(row)]);
    return { ...row, ...changes };
  });
}

/** Assigns the number to the environment: the first one becomes its default. Call this with the environment locked. */
export async function recordAssigned(
  context: Context<'sms.number.assigned'>,
  environment: Environment,
  row: NumberRow,
  { capabilities, providerId }: Pick<ProviderNumber, 'capabilities' | 'providerId'>,
): Promise<NumberRow> {
  const { db, clock, emit } = context;
  const now = clock.now();
  const changes = {
    status: 'assigned' as const,
    capabilities: [...capabilities],
    providerId,
    refusedAt: null,
    assignedAt: now,
  };
  const after: NumberRow = { ...row, ...changes };
  await db.update(numbers, { id: row.id }, changes);
  const defaultNumberId = await makeDefault(db, environment, row.id, now);
  const { activityId } = row;
  const data = { number: presentNumber(after, defaultNumberId) };
  emit('sms.number.assigned', { subjectId: row.id, data, activityId }, environment);
  return after;
}

export const lockNumber = (db: Session, id: string): Promise<NumberRow | null> => lockOne(db, numbers, { id });
