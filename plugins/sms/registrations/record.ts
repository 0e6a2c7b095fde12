import { lockOne } from '#core/runtime/database/lock-one.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { shift } from '#core/runtime/clock.js';
import { completeMany, lockLeases, postponeMany, type Lease } from '#core/runtime/work/queue.js';
import { passThroughFees } from '#plugins/billing/ports.js';
import { deploymentSettings } from '../deployment/settings.js';
import type { RegistrationFee } from '../registration-data/fees.js';
import type { RegistrationStatus } from '../providers/provider.js';
import { registrationQueueRef, registrations, type RegistrationRow } from '../registration-data/table.js';
import { readFees } from '../registration-data/fees.js';
import { presentRegistration } from './present.js';

/** How often to ask carriers for a decision. Decisions take days; a provider callback triggers the check sooner. */
const askedEveryMs = 15 * 60_000;

/**
 * Records the result of a task of a submission, if its lease still holds: stage, problems and refs, the event of a new
 * stage, and what was charged for it.
 * @returns the registration as it is now; null if the lease was lost
 */
export async function recordStatus(
  { transaction }: Pick<WorkerServices, 'transaction'>,
  lease: Lease,
  status: RegistrationStatus,
): Promise<RegistrationRow | null> {
  return transaction('Registrations', async (context) => {
    const { db, clock, actIn } = context;
    const row = await lockOne(db, registrations, { id: lease.id });
    if (!(await lockLeases(db, registrationQueueRef, [lease])).has(lease)) return null;
    const environment = row && (await findEnvironment(db, row.environmentId));
    if (!environment) return null;
    actIn(environment, row.activityId);
    const { stage, problems, refs, next } = status;
    const now = clock.now();
    const hasMoved = stage !== row.stage;
    const changes = {
      stage,
      problems: [...problems],
      providerRefs: { ...refs },
      updatedAt: hasMoved ? now : row.updatedAt,
    };
    const after: RegistrationRow = { ...row, ...changes };
    await db.update(registrations, { id: row.id }, changes);
    if (next === 'never') await completeMany(db, registrationQueueRef, [lease]);
    else {
      const dueAt = next === 'now' ? now : shift(now, askedEveryMs);
      await postponeMany(db, registrationQueueRef, [{ claim: lease, dueAt }]);
    }
    if (hasMoved) {
      context.auditOwn(environment, {
        operation: 'sms.registration.submit',
        subject: { type: 'registration', id: row.id },
        summary: `The registration is now ${stage}, as the provider reports.`,
        changes: [{ field: 'stage', from: row.stage, to: stage }],
      });
      const data = { registration: presentRegistration(after) };
      context.emit(`sms.registration.${stage}`, { subjectId: row.id, data, activityId: row.activityId }, environment);
    }
    if (status.fee) await recordFee(context, environment, after, status.fee);
    return after;
  });
}

/** Passes on the provider's charges at cost. Each charged item has its own id, so that nothing is recorded twice. */
async function recordFee(
  { use, deployment }: FullContext,
  environment: Environment,
  { providerRefs, filed }: RegistrationRow,
  fee: RegistrationFee,
): Promise<void> {
  const amount = readFees(deployment.settingsOf(deploymentSettings).smsRegistrationFees)[fee];
  if (amount === undefined) return;
  await use(passThroughFees).record(environment, {
    kind: `sms_${fee}`,
    name: filed.legalName,
    amount,
    reference: `sms ${fee} ${providerRefs[fee] ?? ''}`,
  });
}
