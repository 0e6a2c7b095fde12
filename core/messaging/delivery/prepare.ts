import type { WorkerServices } from '#core/kernel/worker-services.js';
import { createBatcher, createOwnerBatcher, type Batcher, type OwnerBatcher } from '#core/runtime/database/batcher.js';
import { lanes } from '#core/runtime/work/queue.js';
import type { DeliveryDriver } from '../driver.js';
import type { MessageFields } from '../tables.js';
import { checkedForMs, longestCheckMs, submittableMs } from './check-times.js';
import { measureRate, type Rate } from './rate.js';
import { contentsOf, recheckMessages, type Candidate, type Checked } from './recheck.js';

/** The largest number of messages in one batch. */
const maxItems = 200;
/** How long bulk mail waits for more of it before it is rendered. */
const gatherBulkMs = 40;
/** The largest number of environments of one lane that are remembered, not counting those with waiting messages. */
const mostLines = 10_000;
/**
 * Of the messages that will be sent while a check is valid, the share that is checked ahead. Below 1, because a check
 * itself takes time.
 */
const aheadShare = 0.7;

/** A message with its content. */
export interface Prepared<M extends MessageFields, C> {
  readonly candidate: Candidate<M>;
  readonly content: C | undefined;
  /** The last check that has ended. */
  check: TimedCheck | undefined;
  /** The check in progress. */
  checking: Promise<TimedCheck> | undefined;
}

/** The result of a check, and when it began, on the clock of `performance.now()`. */
interface TimedCheck {
  readonly checked: Checked;
  readonly at: number;
}

/** The result of the last check, and until when the message may be submitted, by performance.now(). */
export interface LastCheck {
  readonly checked: Checked;
  readonly submitBy: number;
}

/** Renders and checks messages before they are submitted, in batches by lane. */
interface Preparation<M extends MessageFields, C> {
  /**
   * Makes the content; bulk mail is not checked yet, because it nearly always waits.
   * @param account the account of the message: one whose templates are slow delays no other
   */
  prepare(candidate: Candidate<M>, account: string): Promise<Prepared<M, C>>;
  /**
   * Waits for `until` with a prepared message. In the meantime the message is checked, together with others of its
   * environment and lane that will be sent soon.
   * @returns the result of `until`
   */
  wait<T>(prepared: Prepared<M, C>, until: () => Promise<T>): Promise<T>;
  /**
   * The result of a check that is still valid (`checkedForMs`), for a message that has its slot: an earlier check or a
   * new one.
   */
  lastCheck(prepared: Prepared<M, C>): Promise<LastCheck>;
}

/** What prepares and checks the messages of one lane in batches. */
interface LaneBatchers<M extends MessageFields, C> {
  readonly prepare: OwnerBatcher<Candidate<M>, Prepared<M, C>>;
  readonly check: Batcher<Candidate<M>, TimedCheck>;
  /** By environment. */
  readonly lines: Map<string, Line<Prepared<M, C>>>;
}

/** The messages of one environment and lane that wait for a slot, in their order. */
interface Line<P> {
  readonly waiting: Set<P>;
  /** How fast they get their slots. */
  readonly rate: Rate;
  /** How many got theirs since messages were last checked ahead. */
  sinceAhead: number;
}

export function createPreparation<M extends MessageFields, C>(
  services: Pick<WorkerServices, 'read'>,
  driver: DeliveryDriver<M, C>,
): Preparation<M, C> {
  const checkAll = async (candidates: readonly Candidate<M>[]): Promise<TimedCheck[]> => {
    const at = performance.now();
    return (await recheckMessages(services, driver, candidates)).map((checked) => ({ checked, at }));
  };
  const renderAll = async (candidates: readonly Candidate<M>[]): Promise<Prepared<M, C>[]> => {
    const contents = await contentsOf(driver, candidates);
    await driver.beforeAttempt?.(
      candidates.map(({ claim, message }, index) => ({ message, content: contents[index], attempt: claim.attempts })),
    );
    return candidates.map((candidate, index) => ({
      candidate,
      content: contents[index],
      check: undefined,
      checking: undefined,
    }));
  };
  const renderAndCheckAll = async (candidates: readonly Candidate<M>[]): Promise<Prepared<M, C>[]> => {
    const [rendered, checks] = await Promise.all([renderAll(candidates), checkAll(candidates)]);
    return rendered.map((prepared, index) => ({ ...prepared, check: checks[index] }));
  };

  // A batch with large contents, or on a slow connection, does not hold up the next one.
  const shared = { maxItems, maxRunning: 2, splitOnError: true };
  const byLane = new Map(
    Object.values(lanes).map((lane): [number, LaneBatchers<M, C>] => [
      lane,
      {
        prepare:
          lane === lanes.bulk
            ? // Only bulk mail is rendered here: the contents of other messages are stored with them.
              createOwnerBatcher(renderAll, { ...shared, gatherMs: gatherBulkMs })
            : withoutOwner(createBatcher(renderAndCheckAll, shared)),
        check: createBatcher(checkAll, shared),
        lines: new Map(),
      },
    ]),
  );
  const batchersOf = ({ claim: { lane } }: Candidate<M>): LaneBatchers<M, C> => {
    const batchers = byLane.get(lane);
    if (!batchers) throw new Error(`Unknown lane: ${lane}.`);
    return batchers;
  };

  const lineOf = ({ candidate }: Prepared<M, C>): Line<Prepared<M, C>> => {
    const { lines } = batchersOf(candidate);
    const { environmentId } = candidate.message;
    const known = lines.get(environmentId);
    if (known) return known;
    if (lines.size >= mostLines) for (const [id, { waiting }] of lines) if (waiting.size === 0) lines.delete(id);
    const line = { waiting: new Set<Prepared<M, C>>(), rate: measureRate(), sinceAhead: 0 };
    lines.set(environmentId, line);
    return line;
  };

  const check = (prepared: Prepared<M, C>): Promise<TimedCheck> => {
    prepared.checking ??= batchersOf(prepared.candidate)
      .check(prepared.candidate)
      .then((checked) => (prepared.check = checked))
      .finally(() => {
        prepared.checking = undefined;
      });
    return prepared.checking;
  };

  /**
   * Checks the messages that will get their slots within `validMs`, judging by the recent rate, so that each has a
   * check that is still valid.
   */
  const checkAhead = ({ waiting, rate }: Line<Prepared<M, C>>, now: number, validMs: number): void => {
    const perMs = rate.perMs();
    let left = Math.min(maxItems, perMs * validMs * aheadShare);
    let leavesAt = now;
    for (const next of waiting) {
      if (left < 1) return;
      left -= 1;
      leavesAt += 1 / perMs;
      if (next.checking ?? (next.check && leavesAt - next.check.at <= validMs)) continue;
      // A check ahead that fails leaves the message unchanged: it is checked on its own after it has its slot.
      void check(next).catch(() => undefined);
    }
  };

  return {
    prepare: (candidate, account) => batchersOf(candidate).prepare(account, candidate),
    async wait(prepared, until) {
      const { waiting } = lineOf(prepared);
      waiting.add(prepared);
      try {
        return await until();
      } finally {
        waiting.delete(prepared);
      }
    },
    async lastCheck(prepared) {
      const validMs = checkedForMs(prepared.candidate.claim.lane);
      const line = lineOf(prepared);
      line.rate.add();
      line.sinceAhead += 1;
      const now = performance.now();
      const isValid = prepared.check !== undefined && now - prepared.check.at <= validMs;
      const checking = isValid ? undefined : check(prepared);
      if (!isValid || line.sinceAhead >= (line.rate.perMs() * validMs * aheadShare) / 2) {
        line.sinceAhead = 0;
        checkAhead(line, now, validMs);
      }
      const last = (await checking) ?? prepared.check ?? (await check(prepared));
      // The process, or the database, stood still in between.
      const { checked, at } = performance.now() - last.at > longestCheckMs ? await check(prepared) : last;
      return { checked, submitBy: at + submittableMs };
    },
  };
}

const withoutOwner =
  <In, Out>(batch: Batcher<In, Out>): OwnerBatcher<In, Out> =>
  (_owner, item) =>
    batch(item);
