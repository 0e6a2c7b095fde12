import type { Caller } from '../caller/caller.js';
import { refusalOf } from '../errors/common.js';
import { SvcError } from '../errors/errors.js';
import { idempotencyKey, type IdempotencyKey } from '../idempotency/key.js';
import { createRecentKeys } from '../idempotency/recent-keys.js';
import { KeyIsTaken, storedAnswer } from '../idempotency/store.js';
import type { Answer, Call } from '../call.js';
import type { RunnerOptions } from './options.js';
import { runWrite } from './write.js';

/** Runs a write. @param check the checks before the write, which refuse by throwing: the call's needs and limits */
type Writer = (call: Call, caller: Caller, check: () => Promise<void>) => Promise<Answer>;

/**
 * Runs writes, each once per Idempotency-Key: a repeat gets the stored answer, before the operation's own checks, and
 * also if a need or limit of the operation would refuse it now.
 * @throws idempotency_in_progress, idempotency_mismatch
 */
export function createWriter(options: RunnerOptions): Writer {
  const { database } = options;
  /** Keys claimed in this process: most racers are refused here, without taking a connection. */
  const claimed = new Set<string>();
  const recentKeys = createRecentKeys();

  const answerOf = async (key: IdempotencyKey): Promise<Answer | undefined> => {
    const body = await storedAnswer(database, key);
    return body === undefined ? undefined : { body, replayed: true };
  };

  /**
   * The answer of a repeat, looked up before the checks if the call probably is one, and otherwise if they refuse it.
   * @throws the refusal of the checks, also for another call under a key with an answer: such a call counts against the
   *   limits, which protect what it guesses
   */
  const repeatOf = async (key: IdempotencyKey, isLikely: boolean, check: () => Promise<void>) => {
    let mismatch: SvcError | undefined;
    const look = async (): Promise<Answer | undefined> => {
      try {
        return await answerOf(key);
      } catch (error) {
        if (!(error instanceof SvcError) || error.code !== 'idempotency_mismatch') throw error;
        mismatch = error;
        return undefined;
      }
    };
    const early = isLikely ? await look() : undefined;
    if (early) return early;
    try {
      await check();
    } catch (refusal) {
      const late = isLikely || !(refusal instanceof SvcError) ? undefined : await look();
      if (late) return late;
      throw refusal;
    }
    if (mismatch) throw mismatch;
    return undefined;
  };

  return async ({ operation, input, idempotencyKey: header, inProcess }, caller, check) => {
    const key = header === undefined ? undefined : await idempotencyKey(header, operation, caller, input, options);
    if (!key) {
      await check();
      return runWrite(options, operation, input, caller, inProcess?.repeatKey);
    }
    const name = key.id.toString('hex');
    // Look it up first only if a repeat is likely or preparing is costly. For other keys a failed claim reveals the
    // repeat.
    const isCostly = operation.prepare !== undefined && operation.prepareOnlyComputes !== true;
    const repeat = await repeatOf(key, isCostly || claimed.has(name) || recentKeys.has(key), check);
    if (repeat) return repeat;
    if (claimed.has(name)) throw refusalOf.idempotency_in_progress();
    claimed.add(name);
    try {
      const answer = await runWrite(options, operation, input, caller, key);
      recentKeys.add(key);
      return answer;
    } catch (error) {
      const isTaken = error instanceof KeyIsTaken;
      // A repeat gets its stored answer even if preparing it again fails.
      if (!isTaken && !(operation.prepareOnlyComputes && error instanceof SvcError)) throw error;
      const stored = await answerOf(key);
      if (!stored) throw isTaken ? refusalOf.idempotency_in_progress() : error;
      recentKeys.add(key);
      return stored;
    } finally {
      claimed.delete(name);
    }
  };
}
