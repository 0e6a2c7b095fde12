import { hourMs } from '#core/runtime/clock.js';
import { closedEnvironments } from '#core/kernel/environment/environment.js';
import { turnsOfEnvironment } from '#core/kernel/environment/turns.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { crashPoint } from '#core/runtime/fault.js';
import { completeWork, laneNamed, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import type { DeliveryDriver, LoadedMessage } from '../driver.js';
import { loadMessages } from '../load.js';
import type { MessageFields } from '../tables.js';
import { attemptDelivery } from './attempt.js';
import { decide } from './decide.js';
import { endUnsent } from './end-unsent.js';
import type { SendSlot } from './send-slots.js';
import { createSending, type Sending } from './sending.js';
import { deliveryTurns, heldBroadcasts } from './partitions.js';
import { createPreparation, type Prepared } from './prepare.js';
import { deepest, preparedDepth } from './prepared-depth.js';
import { waiting } from './recheck.js';
import { createRecorder } from './recorder.js';
import { createRequeue } from './requeue.js';

/** Quiet hours end within a day; attempts are repeated within hours. */
const longestWaitMs = 25 * hourMs;

/**
 * The work queue that delivers a channel's messages. Each message goes through these steps, and each step handles many
 * messages at once:
 *
 *   1. load     as it is claimed                                           load.ts
 *   2. pace     once it has a slot of the worker: may it be sent now?      DeliveryDriver.sendableFrom
 *   3. prepare  render it; unless it is bulk, also check it                prepare.ts
 *   4. wait     for a send slot                                            send-slots.ts
 *   5. check    who may still get it, right before it is submitted         recheck.ts, decide.ts
 *   6. attempt  submit it, once                                            attempt.ts
 *   7. record   the outcome                                                recorder.ts
 *
 * @param close releases what the channel's transport uses
 * @param sending shared with the queue of chunks, if the channel has one
 */
export function deliveryQueue<M extends MessageFields, C>(
  services: WorkerServices,
  driver: DeliveryDriver<M, C>,
  close: () => Promise<void>,
  sending: Sending = createSending(driver.limits),
): WorkQueue {
  const { database, clock, log } = services;
  const { name, queue, limits } = driver;
  // A loaded message does not change while its lease is valid: cancelling and erasing skip leased messages.
  const loadedByClaim = new WeakMap<Claim, LoadedMessage<M>>();
  const { sendSlots, stalls } = sending;
  const depth = preparedDepth(limits);
  const preparation = createPreparation(services, driver);
  const recorder = createRecorder(services, driver);
  const requeue = createRequeue(database, queue);

  const load = async (claim: Claim): Promise<LoadedMessage<M> | undefined> =>
    loadedByClaim.get(claim) ?? (await loadMessages(database, driver, [claim.id])).get(claim.id);

  /** Steps 5 to 7, for a message that has its slot. */
  const checkAndSend = async (
    prepared: Prepared<M, C>,
    account: string,
    slot: SendSlot,
    freeSlot: () => void,
  ): Promise<void> => {
    const { claim } = prepared.candidate;
    const decision = decide(prepared, await preparation.lastCheck(prepared));
    if (decision.kind !== 'send') {
      slot.end();
      if (decision.kind === 'end') await endUnsent(driver, recorder, prepared, decision);
      if (decision.kind === 'requeue') await requeue(claim, clock.now());
      return;
    }
    const { delivery, outcome } = decision.ready;
    /** Lets other messages take the send slot and the worker's slot: the server has answered, or is slow to answer. */
    const release = (): void => {
      slot.release();
      depth.left(account, claim.lane);
      freeSlot();
    };
    crashPoint(`${name}.attempt.before`);
    const report = await stalls.watch(account, claim.lane, release, () => attemptDelivery(log, driver, delivery));
    crashPoint(`${name}.answer.after`);
    release();
    await recorder.recordAttempt(outcome, report);
    crashPoint(`${name}.record.after`);
  };

  return {
    ...queue,
    concurrency: deepest({ alone: limits.concurrency }),
    excludedPartitions: [{ partitions: closedEnvironments }, ...heldBroadcasts(driver.tables)],
    longestWaitMs,
    triedAt: `SELECT MAX(a.at) FROM ${driver.tables.attempts.tableName} a WHERE a.message_id = work.id`,
    chosenTime: `EXISTS (SELECT 1 FROM ${driver.tables.messages.tableName} m WHERE m.id = work.id AND m.send_after = work.due_at)`,
    plannedTime: `SELECT m.send_after FROM ${driver.tables.messages.tableName} m WHERE m.id = work.id`,
    turnsOf: deliveryTurns(database, driver.tables),
    // As many as will leave soon: one that waits too long for a send slot returns to the queue.
    perOwner: [{ most: (account, lane) => depth.of(account, lane, stalls.stalled(account, lane)) }],
    close,
    async prepare(claims) {
      const found = await loadMessages(
        database,
        driver,
        claims.map(({ id }) => id),
      );
      for (const claim of claims) {
        const loaded = found.get(claim.id);
        if (loaded) loadedByClaim.set(claim, loaded);
      }
    },
    async perform(claim, freeSlot) {
      const { lane } = claim;
      const loaded = await load(claim);
      if (!loaded) {
        log.error(
          { queue: queue.name, messageId: claim.id },
          'a queued message does not exist; its queue row is removed',
        );
        await completeWork(database, queue, claim);
        return;
      }
      const addresses = waiting(loaded.recipients).map(({ address }) => address);
      const sendableAt = await driver.sendableFrom?.(loaded.message, addresses, laneNamed(lane));
      if (sendableAt) {
        await requeue(claim, sendableAt);
        return;
      }
      const turns = await turnsOfEnvironment(database, loaded.message.environmentId);
      const [account = ''] = turns;
      const prepared = await preparation.prepare({ claim, ...loaded }, account);
      const slot = await preparation.wait(prepared, () => sendSlots.acquire(turns, lane));
      if (!slot) {
        await requeue(claim, clock.now());
        return;
      }
      try {
        await checkAndSend(prepared, account, slot, freeSlot);
      } finally {
        slot.end();
      }
    },
  };
}
