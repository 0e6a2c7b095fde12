import type { WorkerServices } from '#core/kernel/worker-services.js';
import { createBatcher, type Batcher } from '#core/runtime/work/batcher.js';
import { lanes } from '#core/runtime/work/queue.js';
import type { DeliveryChannel } from '../channel.js';
import type { MessageFields } from '../tables.js';
import { measureRate, type Rate } from './rate.js';
import { contentsOf, recheckMessages, type Candidate, type Checked } from './recheck.js';

/** Messages in one batch, at most. */
const maxItems = 200;
/** How long bulk mail waits for more of it before it is rendered. */
const gatherBulkMs = 40;
/**
 * A message that waited longer since it was checked is checked again: an opt-out, a pause or a closure since then holds. Those of broadcasts
 * nearly always wait, and are checked in larger batches.
 */
const checkedForMs = (lane: number): number => (lane === lanes.bulk ? 100 : 5);
/** Environments and lanes whose rates are remembered. */
const mostLines = 10_000;
/** How many of the messages due while a check is valid are checked ahead, as a share; below 1, because a check takes time itself. */
const aheadShare = 0.7;

/** A message with its content. */
export interface Prepared<M extends MessageFields, C> {
  readonly candidate: Candidate<M>;
  readonly content: C | undefined;
  /** The last check that has ended. */
  check: TimedCheck | undefined;
  /** The check that is under way. */
  checking: Promise<TimedCheck> | undefined;
}

/** The result of a check, and when it began, on the clock of `performance.now()`. */
interface TimedCheck {
  readonly checked: Checked;
  readonly at: number;
}

/** Renders and checks messages before they are handed over, in batches by lane. */
export interface Preparation<M extends MessageFields, C> {
  /** Makes the content; bulk mail is not checked yet, because it nearly always waits. */
  prepare(candidate: Candidate<M>): Promise<Prepared<M, C>>;
  /** Waits with a prepared message. Meanwhile it is checked together with others of its environment that are to leave soon. */
  wait<T>(prepared: Prepared<M, C>, until: () => Promise<T>): Promise<T>;
  /** A check of a message that has its place, made so short a time ago that it still counts. */
  lastCheck(prepared: Prepared<M, C>): Promise<Checked>;
}

/** The steps of one lane. */
interface LaneSteps<M extends MessageFields, C> {
  readonly prepare: Batcher<Candidate<M>, Prepared<M, C>>;
  readonly check: Batcher<Candidate<M>, TimedCheck>;
  /** By environment. */
  readonly lines: Map<string, Line<Prepared<M, C>>>;
}

/** The messages of one environment and lane that wait for a place, in their order. */
interface Line<P> {
  readonly waiting: Set<P>;
  /** At which they get their places. */
  readonly rate: Rate;
  /** How many have got theirs since some were checked ahead. */
  sinceAhead: number;
}

export function createPreparation<M extends MessageFields, C>(
  services: Pick<WorkerServices, 'read'>,
  channel: DeliveryChannel<M, C>,
): Preparation<M, C> {
  const checkAll = async (candidates: readonly Candidate<M>[]): Promise<TimedCheck[]> => {
    const at = performance.now();
    return (await recheckMessages(services, channel, candidates)).map((checked) => ({ checked, at }));
  };
  const renderAll = async (candidates: readonly Candidate<M>[]): Promise<Prepared<M, C>[]> => {
    const contents = await contentsOf(channel, candidates);
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
    Object.values(lanes).map((lane): [number, LaneSteps<M, C>] => [
      lane,
      {
        prepare:
          lane === lanes.bulk
            ? createBatcher(renderAll, { ...shared, gatherMs: gatherBulkMs })
            : createBatcher(renderAndCheckAll, shared),
        check: createBatcher(checkAll, shared),
        lines: new Map(),
      },
    ]),
  );
  const stepsOf = ({ claim: { lane } }: Candidate<M>): LaneSteps<M, C> => {
    const steps = byLane.get(lane);
    if (!steps) throw new Error(`Unknown lane ${lane}.`);
    return steps;
  };

  const lineOf = ({ candidate }: Prepared<M, C>): Line<Prepared<M, C>> => {
    const { lines } = stepsOf(candidate);
    const { environmentId } = candidate.message;
    const known = lines.get(environmentId);
    if (known) return known;
    if (lines.size >= mostLines) for (const [id, { waiting }] of lines) if (waiting.size === 0) lines.delete(id);
    const line = { waiting: new Set<Prepared<M, C>>(), rate: measureRate(), sinceAhead: 0 };
    lines.set(environmentId, line);
    return line;
  };

  const check = (prepared: Prepared<M, C>): Promise<TimedCheck> => {
    prepared.checking ??= stepsOf(prepared.candidate)
      .check(prepared.candidate)
      .then((checked) => (prepared.check = checked))
      .finally(() => {
        prepared.checking = undefined;
      });
    return prepared.checking;
  };

  /** Checks those that are to leave within the next while, so that they find a valid check. */
  const checkAhead = ({ waiting, rate }: Line<Prepared<M, C>>, now: number, validMs: number): void => {
    const perMs = rate.perMs();
    let left = Math.min(maxItems, perMs * validMs * aheadShare);
    let leavesAt = now;
    for (const next of waiting) {
      if (left < 1) return;
      left -= 1;
      leavesAt += 1 / perMs;
      if (next.checking ?? (next.check && leavesAt - next.check.at <= validMs)) continue;
      // A check ahead that fails leaves the message as it was: it is checked on its own once it has its place.
      void check(next).catch(() => undefined);
    }
  };

  return {
    prepare: (candidate) => stepsOf(candidate).prepare(candidate),
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
      const { checked } = (await checking) ?? prepared.check ?? (await check(prepared));
      return checked;
    },
  };
}
