import type { WorkerServices } from '#core/kernel/worker-services.js';
import { shift } from '#core/runtime/clock.js';
import { completeMany, enqueueStatement, lockLeases, postponeMany, type Claim } from '#core/runtime/work/queue.js';
import type { SmsProvider } from '../providers/provider.js';
import type { RegistrationProblem } from '../registration-data/stages.js';
import { numberQueueRef, numbers, type NumberRow } from '../tables/number.js';
import { registrations } from '../registration-data/table.js';
import { lockNumber } from './settle.js';

/** A number that could not join its registration tries again after this time. */
const triedAgainAfterMs = 15 * 60_000;

/**
 * Adds one of the environment's own numbers to its registration, so that texts of the registration can be sent from it.
 * @returns what went wrong; null if it joined, or need not
 */
async function join(
  { database }: Pick<WorkerServices, 'database'>,
  provider: SmsProvider,
  { environmentId, providerId }: NumberRow,
): Promise<string | null> {
  const registration = providerId === null ? null : await database.findOne(registrations, { environmentId });
  if (!registration || providerId === null) return null;
  const answer = await provider.registration?.addNumber(registration.providerRefs, providerId);
  return answer === undefined || answer.ok ? null : answer.problem.slice(0, 500);
}

/**
 * Adds a number that was just assigned to its registration. If that fails, sms.registration.get shows it, and a worker
 * tries again.
 */
export async function joinRegistration(
  services: Pick<WorkerServices, 'database' | 'transaction' | 'clock' | 'log'>,
  provider: SmsProvider,
  row: NumberRow,
): Promise<void> {
  const joinProblem = await join(services, provider, row);
  if (joinProblem === null) return;
  services.log.warn({ number: row.number, problem: joinProblem }, 'a number could not be added to its registration');
  await services.transaction('Numbers', async ({ db, clock }) => {
    if ((await lockNumber(db, row.id))?.status !== 'assigned') return;
    await db.update(numbers, { id: row.id }, { joinProblem });
    const dueAt = shift(clock.now(), triedAgainAfterMs);
    const work = { id: row.id, partitionId: row.environmentId, lane: 'transactional', dueAt } as const;
    await db.run(enqueueStatement(numberQueueRef, [work]));
  });
}

/**
 * Tries again to add a number to its registration, and records the result. A number that was given back in the meantime
 * is not retried.
 */
export async function joinAgain(
  services: Pick<WorkerServices, 'database' | 'transaction'>,
  provider: SmsProvider,
  claim: Claim,
  row: NumberRow,
): Promise<void> {
  const joinProblem = await join(services, provider, row);
  await services.transaction('Numbers', async ({ db, clock }) => {
    const now = await lockNumber(db, row.id);
    if (!(await lockLeases(db, numberQueueRef, [claim])).has(claim)) return;
    const isOurs = now?.status === 'assigned';
    if (isOurs) await db.update(numbers, { id: row.id }, { joinProblem });
    if (isOurs && joinProblem === null) await completeMany(db, numberQueueRef, [claim]);
    else {
      const dueAt = isOurs ? shift(clock.now(), triedAgainAfterMs) : clock.now();
      await postponeMany(db, numberQueueRef, [{ claim, dueAt }]);
    }
  });
}

/** What sms.registration.get shows for a number that could not join. */
export const joinProblemOf = ({ number, joinProblem }: NumberRow): RegistrationProblem[] =>
  joinProblem === null
    ? []
    : [
        {
          code: 'number_not_registered',
          message: `The number ${number} could not be added to the registration: ${joinProblem}. Carriers may refuse its messages.`,
          fix: 'svc retries every 15 minutes. If this persists, set another default number with sms.settings.set (defaultNumberId), release this one with sms.number.release, and assign another with sms.number.assign.',
        },
      ];
