import { closedEnvironments } from '#core/kernel/environment/environment.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { crashPoint } from '#core/runtime/fault.js';
import { createBatcher } from '#core/runtime/work/batcher.js';
import { completeWork, deferMany, laneNamed, lanes, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import type { Delivery, DeliveryChannel, DeliveryReport, LoadedMessage } from '../channel.js';
import { loadMessages } from '../load.js';
import type { MessageFields } from '../tables.js';
import { decide, type Decision } from './decide.js';
import { boundHandOvers } from './hand-overs.js';
import { heldBroadcasts, partitionOwners } from './partitions.js';
import { createPreparation, type Prepared } from './prepare.js';
import { deepest, preparedDepth } from './prepared-depth.js';
import { waiting } from './recheck.js';
import { createRecorder } from './recorder.js';
import { trackStalls } from './stalls.js';

/** Messages that go back to the queue in one transaction, at most. */
const maxDeferred = 200;

/**
 * The work queue that delivers a channel's messages. Messages are loaded as they are claimed, rendered once they have their slots,
 * checked as they get a place among the channel's connections, handed over and recorded; each step is batched.
 * @param close releases what the channel's transport uses
 */
export function deliveryQueue<M extends MessageFields, C>(
  services: WorkerServices,
  channel: DeliveryChannel<M, C>,
  close: () => Promise<void>,
): WorkQueue {
  const { database, clock, log } = services;
  const { name, queue, limits } = channel;
  // What is loaded stays true while the lease holds: whoever cancels or erases a message leaves leased ones alone.
  const prefetched = new WeakMap<Claim, LoadedMessage<M>>();
  const stalls = trackStalls(limits);
  const depth = preparedDepth(limits);
  const owners = partitionOwners();
  const preparation = createPreparation(services, channel);
  const { record, recordAttempt } = createRecorder(services, channel);
  const handOvers = boundHandOvers(limits, (environmentId, lane, isAlone) => {
    const allowed = isAlone && lane === lanes.bulk ? limits.alone : limits.perEnvironment;
    return allowed - stalls.stalled(environmentId, lane);
  });
  /** Gives messages back to the queue that are not to leave now. */
  const defer = createBatcher(
    async (items: readonly { claim: Claim; dueAt: Date }[]) => {
      await deferMany(database, queue, items);
      return items.map(() => true);
    },
    { maxItems: maxDeferred },
  );

  const load = async (claim: Claim): Promise<LoadedMessage<M> | undefined> =>
    prefetched.get(claim) ?? (await loadMessages(database, channel, [claim.id])).get(claim.id);

  /** Records that a message is not sent, unless an earlier attempt reached somebody. */
  const end = async (
    { candidate: { claim, message, recipients }, content }: Prepared<M, C>,
    { environment, blocked, result }: Extract<Decision<M, C>, { kind: 'end' }>,
  ): Promise<void> => {
    const shared = { message, environment, recipients };
    const settled =
      claim.attempts > 1
        ? await channel.settle?.({ ...shared, content, recipients: waiting(recipients), attempt: claim.attempts })
        : null;
    if (settled) await recordAttempt({ claim, ...shared, blocked: new Map() }, settled);
    else await record({ claim, ...shared, blocked, result });
  };

  /** Does what a message needs that does not leave, or not now. */
  const keep = async (
    prepared: Prepared<M, C>,
    decision: Exclude<Decision<M, C>, { kind: 'leave' }>,
  ): Promise<void> => {
    if (decision.kind === 'end') await end(prepared, decision);
    if (decision.kind === 'wait') await defer({ claim: prepared.candidate.claim, dueAt: clock.now() });
  };

  /**
   * Hands a message over. An error of our own counts as a temporary failure, so that it is retried as the channel says and the message
   * fails in the end.
   */
  const handOver = async (delivery: Delivery<M, C>): Promise<DeliveryReport<M>> => {
    const began = performance.now();
    try {
      return await channel.deliver(delivery);
    } catch (error) {
      log.error(
        { err: error, queue: queue.name, messageId: delivery.message.id, attempt: delivery.attempt },
        'handing a message over failed; it counts as a temporary failure',
      );
      return {
        durationMs: performance.now() - began,
        recipients: delivery.recipients.map(({ address }) => ({
          address,
          outcome: 'temporary',
          code: null,
          response: 'svc could not hand the message over because of an internal error, which is in its log.',
        })),
      };
    }
  };

  return {
    ...queue,
    concurrency: deepest({ alone: limits.concurrency }),
    excludedPartitions: [{ partitions: closedEnvironments }, ...heldBroadcasts(channel.tables)],
    perPartition(partitionId, lane) {
      const environmentId = owners.of(partitionId);
      return depth.of(environmentId, lane, stalls.stalled(environmentId, lane));
    },
    // All broadcasts of an environment together have as many slots as the environment.
    group: { most: deepest(limits), of: owners.broadcastOwner },
    close,
    async prepare(claims) {
      const found = await loadMessages(
        database,
        channel,
        claims.map(({ id }) => id),
      );
      for (const claim of claims) {
        const loaded = found.get(claim.id);
        if (!loaded) continue;
        prefetched.set(claim, loaded);
        owners.note(claim.partitionId, loaded.message.environmentId);
      }
    },
    async perform(claim, freeSlot) {
      const loaded = await load(claim);
      if (!loaded) {
        log.error(
          { queue: queue.name, messageId: claim.id },
          'a queued message does not exist; its queue row is removed',
        );
        await completeWork(database, queue, claim);
        return;
      }
      const { lane } = claim;
      const addresses = waiting(loaded.recipients).map(({ address }) => address);
      const until = await channel.admit?.(loaded.message, addresses, laneNamed(lane));
      if (until) {
        await defer({ claim, dueAt: until });
        return;
      }
      const prepared = await preparation.prepare({ claim, ...loaded });
      const { environmentId } = loaded.message;
      const place = await preparation.wait(prepared, () => handOvers.enter(environmentId, lane));
      if (!place) {
        await defer({ claim, dueAt: clock.now() });
        return;
      }
      try {
        const decision = decide(prepared, await preparation.lastCheck(prepared));
        if (decision.kind !== 'leave') {
          place.end();
          await keep(prepared, decision);
          return;
        }
        const { ready } = decision;
        const leave = (): void => {
          place.leave();
          depth.left(environmentId, lane);
          freeSlot();
        };
        crashPoint(`${name}.handover.before`);
        const report = await stalls.watch(environmentId, lane, leave, () => handOver(ready.delivery));
        crashPoint(`${name}.answer.after`);
        leave();
        await recordAttempt(ready.outcome, report);
        crashPoint(`${name}.record.after`);
      } finally {
        place.end();
      }
    },
  };
}
