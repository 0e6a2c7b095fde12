import type { WorkerServices } from '#core/kernel/worker-services.js';
import { createBatcher, type Batcher } from '#core/runtime/work/batcher.js';
import { lanes } from '#core/runtime/work/queue.js';
import type { DeliveryChannel } from '../channel.js';
import type { MessageFields } from '../tables.js';
import { contentsOf, recheckMessages, type Candidate, type Checked } from './recheck.js';

/** Messages in one batch, at most. */
const maxItems = 200;
/** How long bulk mail waits for more of it before it is rendered and checked. */
const gatherBulkMs = 15;
/**
 * A message that waited longer since it was checked is checked again: an opt-out, a pause or a closure since then holds. Those of broadcasts
 * nearly always wait, and are checked in larger batches.
 */
const checkedForMs = (lane: number): number => (lane === lanes.bulk ? 100 : 5);
/** Waiting messages that are checked with one that has its place, at most. */
const checkedAhead = 100;

/** A message with its content and the last check. */
export interface Prepared<M extends MessageFields, C> {
  readonly candidate: Candidate<M>;
  readonly content: C | undefined;
  checked: Checked;
  /** When its check began, on the clock of `performance.now()`. */
  checkedAt: number;
  /** The check that is under way. */
  checking: Promise<void> | undefined;
}

/** Renders and checks messages before they are handed over, in batches by lane. */
export interface Preparation<M extends MessageFields, C> {
  prepare(candidate: Candidate<M>): Promise<Prepared<M, C>>;
  /** Waits with a prepared message. Meanwhile it is checked again with others of its lane that have their places. */
  wait<T>(prepared: Prepared<M, C>, until: () => Promise<T>): Promise<T>;
  /** Checks a message again where its check is too old; with it those that wait, so that they find a new check. */
  ensureChecked(prepared: Prepared<M, C>): Promise<void>;
}

/** The result of a check, and when it began. */
interface TimedCheck {
  readonly checked: Checked;
  readonly at: number;
}

/** The steps of one lane. */
interface LaneSteps<M extends MessageFields, C> {
  readonly prepare: Batcher<Candidate<M>, Prepared<M, C>>;
  readonly check: Batcher<Candidate<M>, TimedCheck>;
  /** Those that wait for a place, in their order. */
  readonly waiting: Set<Prepared<M, C>>;
}

export function createPreparation<M extends MessageFields, C>(
  services: Pick<WorkerServices, 'database' | 'read'>,
  channel: DeliveryChannel<M, C>,
): Preparation<M, C> {
  const checkAll = async (candidates: readonly Candidate<M>[]): Promise<TimedCheck[]> => {
    const at = performance.now();
    return (await recheckMessages(services, channel, candidates)).map((checked) => ({ checked, at }));
  };
  const prepareAll = async (candidates: readonly Candidate<M>[]): Promise<Prepared<M, C>[]> => {
    const [contents, checks] = await Promise.all([contentsOf(channel, candidates), checkAll(candidates)]);
    return candidates.flatMap((candidate, index): Prepared<M, C>[] => {
      const found = checks[index];
      if (!found) return [];
      return [
        { candidate, content: contents[index], checked: found.checked, checkedAt: found.at, checking: undefined },
      ];
    });
  };

  // A batch with large contents, or on a slow connection, does not hold up the next one.
  const shared = { maxItems, maxRunning: 2, splitOnError: true };
  const byLane = new Map(
    Object.values(lanes).map((lane): [number, LaneSteps<M, C>] => [
      lane,
      {
        prepare: createBatcher(prepareAll, { ...shared, gatherMs: lane === lanes.bulk ? gatherBulkMs : 0 }),
        check: createBatcher(checkAll, shared),
        waiting: new Set(),
      },
    ]),
  );
  const stepsOf = ({ claim: { lane } }: Candidate<M>): LaneSteps<M, C> => {
    const steps = byLane.get(lane);
    if (!steps) throw new Error(`Unknown lane ${lane}.`);
    return steps;
  };

  const checkAgain = (prepared: Prepared<M, C>): Promise<void> => {
    prepared.checking ??= stepsOf(prepared.candidate)
      .check(prepared.candidate)
      .then(({ checked, at }) => {
        prepared.checked = checked;
        prepared.checkedAt = at;
      })
      .finally(() => {
        prepared.checking = undefined;
      });
    return prepared.checking;
  };

  return {
    prepare: (candidate) => stepsOf(candidate).prepare(candidate),
    async wait(prepared, until) {
      const { waiting } = stepsOf(prepared.candidate);
      waiting.add(prepared);
      try {
        return await until();
      } finally {
        waiting.delete(prepared);
      }
    },
    async ensureChecked(prepared) {
      const validMs = checkedForMs(prepared.candidate.claim.lane);
      const began = performance.now();
      if (began - prepared.checkedAt <= validMs) return;
      const checked = checkAgain(prepared);
      let ahead = 0;
      for (const next of stepsOf(prepared.candidate).waiting) {
        if (ahead >= checkedAhead) break;
        if (next.checking || began - next.checkedAt < validMs / 2) continue;
        ahead += 1;
        // A check ahead that fails leaves the message as it was: it is checked on its own once it has its place.
        void checkAgain(next).catch(() => undefined);
      }
      await checked;
    },
  };
}
