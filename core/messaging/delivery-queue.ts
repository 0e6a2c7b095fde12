import { setTimeout as pause } from 'node:timers/promises';
import { closedEnvironments } from '#core/kernel/environment/environment.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { isConnectionLost } from '#core/runtime/database/errors.js';
import { retryWhileUnreachable } from '#core/runtime/database/retry-while-unreachable.js';
import { crashPoint } from '#core/runtime/fault.js';
import { createBatcher, type Batcher } from '#core/runtime/work/batcher.js';
import { completeWork, deferMany, laneNamed, lanes, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import type { Delivery, DeliveryChannel, DeliveryReport, LoadedMessage, RecipientEligibility } from './channel.js';
import { loadMessages } from './load.js';
import { contentsOf, recheckMessages, waiting, type Candidate, type Checked } from './recheck.js';
import { recordOutcomes, type Outcome } from './record.js';
import { dueAt, isStale } from './due.js';
import { boundHandOvers } from './hand-overs.js';
import { heldBroadcasts, partitionOwners } from './partitions.js';
import { deepest, preparedDepth } from './prepared-depth.js';
import { trackStalls } from './stalls.js';
import type { MessageFields } from './tables.js';

/** Messages in one batch, at most. */
const most = 200;
/** Between two batches of outcomes, so that more messages share a commit. A message that comes alone is recorded at once. */
const recordPauseMs = 15;
/** How long bulk mail waits for more of it before it is rendered and checked. */
const gatherBulkMs = 15;
/**
 * A message that waited longer since it was checked is checked again: an opt-out, a pause or a closure since then holds. Those of broadcasts
 * nearly always wait, and are checked in larger batches.
 */
const checkedForMs = (lane: number): number => (lane === lanes.bulk ? 100 : 5);

/** Waiting messages that are checked with one that has its place, at most. */
const checkedAhead = 100;

/** A message that waits for a place, with its content and the last check. */
interface Prepared<M extends MessageFields, C> {
  readonly candidate: Candidate<M>;
  readonly content: C | undefined;
  checked: Checked;
  /** When its check began. */
  checkedAt: number;
  /** The check that is under way. */
  checking: Promise<void> | undefined;
}

/** The result of a check, and when it began. */
interface Timed {
  readonly checked: Checked;
  readonly at: number;
}

/** The steps of one lane. */
interface Steps<M extends MessageFields, C> {
  readonly prepare: Batcher<Candidate<M>, Prepared<M, C>>;
  readonly check: Batcher<Candidate<M>, Timed>;
  /** Those that wait for a place, in their order. */
  readonly waiting: Set<Prepared<M, C>>;
}

/** A message that is to be handed over now, and what is known of its outcome. */
type Ready<M extends MessageFields, C> = Omit<Outcome<M>, 'result'> & { readonly delivery: Delivery<M, C> };

/**
 * The work queue that delivers a channel's messages. Messages are loaded as they are claimed, rendered and checked once they have their
 * slots, handed over once they have a place among the channel's connections, and recorded; each step is batched.
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
  const handOvers = boundHandOvers(limits, (environmentId, lane, isAlone) => {
    const allowed = isAlone && lane === lanes.bulk ? limits.alone : limits.perEnvironment;
    return allowed - stalls.stalled(environmentId, lane);
  });
  const check = async (candidates: readonly Candidate<M>[]): Promise<Timed[]> => {
    const at = performance.now();
    return (await recheckMessages(services, channel, candidates)).map((checked) => ({ checked, at }));
  };
  const prepare = async (candidates: readonly Candidate<M>[]): Promise<Prepared<M, C>[]> => {
    const [contents, checks] = await Promise.all([contentsOf(channel, candidates), check(candidates)]);
    return candidates.flatMap((candidate, index): Prepared<M, C>[] => {
      const found = checks[index];
      if (!found) return [];
      return [
        { candidate, content: contents[index], checked: found.checked, checkedAt: found.at, checking: undefined },
      ];
    });
  };
  const byLane = Object.values(lanes).map((lane): [number, Steps<M, C>] => {
    // A batch with large contents, or on a slow connection, does not hold up the next one.
    const shared = { maxItems: most, maxRunning: 2, splitOnError: true };
    const gatherMs = lane === lanes.bulk ? gatherBulkMs : 0;
    return [
      lane,
      {
        prepare: createBatcher(prepare, { ...shared, gatherMs }),
        check: createBatcher(check, shared),
        waiting: new Set(),
      },
    ];
  });
  const steps = new Map(byLane);
  const record = createBatcher(
    async (outcomes: readonly Outcome<M>[]) => {
      const recorded = await retryWhileUnreachable(() => recordOutcomes(services, channel, outcomes));
      await pause(recordPauseMs);
      return recorded;
    },
    // One outcome that cannot be written does not make the other messages be sent again.
    { maxItems: most, splitOnError: true },
  );
  /** Gives messages back to the queue that are not to leave now. */
  const defer = createBatcher(
    async (items: readonly { claim: Claim; dueAt: Date }[]) => {
      await deferMany(database, queue, items);
      return items.map(() => true);
    },
    { maxItems: most },
  );

  const load = async (claim: Claim): Promise<LoadedMessage<M> | undefined> =>
    prefetched.get(claim) ?? (await loadMessages(database, channel, [claim.id])).get(claim.id);

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

  /** Records an attempt, without what the server answered where that cannot be stored: unrecorded, the message would be sent again. */
  const recordAttempt = async (outcome: Omit<Outcome<M>, 'result'>, report: DeliveryReport<M>): Promise<void> => {
    try {
      await record({ ...outcome, result: report });
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      log.error(
        { err: error, queue: queue.name, messageId: outcome.message.id },
        'recording an attempt failed; it is recorded without the answers',
      );
      const recipients = report.recipients.map((each) => ({ ...each, code: null, response: '' }));
      await record({ ...outcome, result: { ...report, recipients } });
    }
  };

  /**
   * Records the outcome of a message that is not to be sent.
   * @returns what is to be handed over; undefined when that is nothing, or not now
   */
  const readyToLeave = async ({ candidate, content, checked }: Prepared<M, C>): Promise<Ready<M, C> | undefined> => {
    const { claim, message, recipients } = candidate;
    if (checked.kind === 'lost') return undefined;
    const { environment, closure, broadcast, eligibility } = checked;
    /** Records that the message is not sent, unless an earlier attempt reached somebody. */
    const end = async (blocked: ReadonlyMap<string, string>, result: 'cancelled' | 'none'): Promise<void> => {
      const shared = { message, environment, recipients };
      const settled =
        claim.attempts > 1
          ? await channel.settle?.({ ...shared, content, recipients: waiting(recipients), attempt: claim.attempts })
          : null;
      if (settled) await recordAttempt({ claim, ...shared, blocked: new Map() }, settled);
      else await record({ claim, ...shared, blocked, result });
    };
    if (broadcast === 'closed') {
      await end(new Map(), 'cancelled');
      return undefined;
    }
    if (environment.closedAt || broadcast === 'held') {
      // Since it was claimed. It waits until the account is reopened, or the broadcast resumed.
      await defer({ claim, dueAt: clock.now() });
      return undefined;
    }
    const blocked = new Map(
      eligibility.flatMap(({ address, blockReason }) =>
        blockReason === null ? [] : [[address, blockReason] as const],
      ),
    );
    const outcome = { claim, message, environment, recipients, blocked };
    const reached = waiting(recipients).filter(({ address }) => !blocked.has(address));
    // Of a broadcast nothing is stale: the closure held it until somebody resumed it.
    const isOld = broadcast === null && isStale(dueAt(message), closure);
    if (isOld || reached.length === 0) {
      await end(blocked, reached.length === 0 ? 'none' : 'cancelled');
      return undefined;
    }
    // The content of a broadcast's message has its own.
    const preferencesUrl = broadcast === null ? firstPreferencesUrl(eligibility) : null;
    const shared = { message, environment, content, preferencesUrl };
    return { ...outcome, delivery: { ...shared, recipients: reached, attempt: claim.attempts } };
  };

  const checkAgain = (prepared: Prepared<M, C>, { check: checkMessage }: Steps<M, C>): Promise<void> => {
    prepared.checking ??= checkMessage(prepared.candidate)
      .then(({ checked, at }) => {
        prepared.checked = checked;
        prepared.checkedAt = at;
      })
      .finally(() => {
        prepared.checking = undefined;
      });
    return prepared.checking;
  };

  /**
   * Checks a message again that has its place, where its check is too old; with it those that wait for theirs, so that they find a new check.
   */
  const ensureChecked = async (prepared: Prepared<M, C>, lane: number, step: Steps<M, C>): Promise<void> => {
    const began = performance.now();
    if (began - prepared.checkedAt <= checkedForMs(lane)) return;
    const checked = checkAgain(prepared, step);
    let ahead = 0;
    for (const next of step.waiting) {
      if (ahead >= checkedAhead) break;
      if (next.checking || began - next.checkedAt < checkedForMs(lane) / 2) continue;
      ahead += 1;
      // Whoever has its place then checks it alone.
      void checkAgain(next, step).catch(() => undefined);
    }
    await checked;
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
      const { message, recipients } = loaded;
      const { lane } = claim;
      const step = steps.get(lane);
      if (!step) throw new Error(`Unknown lane ${lane}.`);
      const addresses = waiting(recipients).map(({ address }) => address);
      const until = await channel.admit?.(message, addresses, laneNamed(lane));
      if (until) {
        await defer({ claim, dueAt: until });
        return;
      }
      const prepared = await step.prepare({ claim, ...loaded });
      const first = await readyToLeave(prepared);
      const { checkedAt } = prepared;
      if (!first) return;
      step.waiting.add(prepared);
      const place = await handOvers.enter(first.environment.id, lane);
      step.waiting.delete(prepared);
      if (!place) {
        await defer({ claim, dueAt: clock.now() });
        return;
      }
      try {
        await ensureChecked(prepared, lane, step);
        const ready = prepared.checkedAt === checkedAt ? first : await readyToLeave(prepared);
        if (!ready) return;
        const { delivery, ...outcome } = ready;
        const partition = { ...claim, partitionId: delivery.environment.id };
        const leave = (): void => {
          place.leave();
          depth.left(delivery.environment.id, lane);
          freeSlot();
        };
        crashPoint(`${name}.handover.before`);
        const report = await stalls.watch(partition, leave, () => handOver(delivery));
        crashPoint(`${name}.answer.after`);
        leave();
        await recordAttempt(outcome, report);
        crashPoint(`${name}.record.after`);
      } finally {
        place.end();
      }
    },
  };
}

function firstPreferencesUrl(eligibility: readonly RecipientEligibility[]): string | null {
  for (const { preferencesUrl } of eligibility) if (preferencesUrl !== null) return preferencesUrl;
  return null;
}
