import { closedEnvironments } from '#core/kernel/environment/environment.js';
import { environmentTurns } from '#core/kernel/environment/turns.js';
import type { Services } from '#core/kernel/services.js';
import { shift } from '#core/runtime/clock.js';
import { completeWork, postponeWork, type WorkQueue } from '#core/runtime/work/queue.js';
import { chooseProvider } from '../providers/choose.js';
import { registrationQueueRef, registrations } from '../registration-data/table.js';
import { advance } from './advance.js';
import { recordStatus } from './record.js';
import type { RegistrationProblem } from '../registration-data/stages.js';

/** After a task that failed. Nobody waits for it: carriers take days. */
const triedAgainAfterMs = 5 * 60_000;

/** What sms.registration.get shows until the task has been repeated. */
const taskFailed = (label: string, problem: string): RegistrationProblem => ({
  code: 'provider_failed',
  message: `${label} failed: ${problem}.`,
  fix: 'svc retries every five minutes: call sms.registration.get again later. If this persists, ask the operator, whose log contains the same message.',
});

/**
 * Submits registrations task by task and requests the carriers' decisions: one row for each registration that they have
 * not decided on.
 */
export function registrationWork(services: Services): WorkQueue {
  const { database, clock, log } = services;
  const provider = chooseProvider(services);
  return {
    ...registrationQueueRef,
    // Providers ask for one request a second when registrations are submitted.
    concurrency: 2,
    turnsOf: environmentTurns(database),
    excludedPartitions: [{ partitions: closedEnvironments }],
    async perform(claim) {
      const row = await database.findOne(registrations, { id: claim.id });
      if (!row) {
        await completeWork(database, registrationQueueRef, claim);
        return;
      }
      const answer = await advance(services, provider, row);
      if (answer.ok) {
        const after = await recordStatus(services, claim, answer.value);
        if (after && answer.value.next === 'now') services.wake(registrationQueueRef.name);
        return;
      }
      log.warn(
        { registrationId: row.id, problem: answer.problem },
        'a task of a carrier registration failed; it is retried',
      );
      const problems = [taskFailed(provider.label, answer.problem)];
      await database.update(registrations, { id: row.id, stage: row.stage }, { problems });
      await postponeWork(database, registrationQueueRef, claim, shift(clock.now(), triedAgainAfterMs));
    },
  };
}
