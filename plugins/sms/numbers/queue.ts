import { environmentTurns } from '#core/kernel/environment/turns.js';
import type { Services } from '#core/kernel/services.js';
import { shift, minuteMs } from '#core/runtime/clock.js';
import { completeWork, postponeWork, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import { chooseProvider } from '../providers/choose.js';
import { numberQueueRef, numbers, type NumberRow } from '../tables/number.js';
import { joinAgain, joinRegistration } from './join-registration.js';
import { buy, recordSettlement } from './settle.js';

/**
 * Settles purchases whose calls died or did not learn the outcome, gives numbers back, and adds numbers to
 * registrations.
 */
export function numberWork(services: Services): WorkQueue {
  const { database, clock, log } = services;
  const provider = chooseProvider(services);
  /** After the first attempts, which are minutes apart, once an hour. */
  const later = ({ attempts }: Claim): Date => shift(clock.now(), Math.min(2 ** attempts, 60) * minuteMs);

  const settle = async (claim: Claim, row: NumberRow): Promise<void> => {
    const settlement = await buy(provider, row, 'worker');
    if (settlement.kind === 'unknown') {
      log.warn(
        { number: row.number, problem: settlement.problem },
        'the outcome of a purchase is unknown; it is looked up again',
      );
      await postponeWork(database, numberQueueRef, claim, later(claim));
      return;
    }
    const after = await recordSettlement(services, claim, settlement);
    if (after?.status === 'assigned') await joinRegistration(services, provider, after);
  };

  const releaseAtProvider = async (claim: Claim, row: NumberRow): Promise<void> => {
    const answer = row.providerId === null ? { ok: true as const } : await provider.releaseNumber(row.providerId);
    if (!answer.ok) {
      log.warn(
        { number: row.number, problem: answer.problem },
        'a number could not be released at the provider; it is retried',
      );
      await postponeWork(database, numberQueueRef, claim, later(claim));
      return;
    }
    await database.update(numbers, { id: row.id, status: 'released' }, { heldNumber: null });
    await completeWork(database, numberQueueRef, claim);
  };

  return {
    ...numberQueueRef,
    concurrency: 4,
    turnsOf: environmentTurns(database),
    // Closed accounts too: their numbers stay and cost money until they are released.
    excludedPartitions: [],
    async perform(claim) {
      const row = await database.findOne(numbers, { id: claim.id });
      if (row?.status === 'assigning') await settle(claim, row);
      else if (row?.status === 'released') await releaseAtProvider(claim, row);
      else if (row?.status === 'assigned') await joinAgain(services, provider, claim, row);
      else await completeWork(database, numberQueueRef, claim);
    },
  };
}
