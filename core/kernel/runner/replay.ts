import type { Caller } from '../caller/caller.js';
import { refusalOf } from '../errors/common.js';
import { SvcError } from '../errors/errors.js';
import { idempotencyKey } from '../idempotency/key.js';
import { createRecentKeys } from '../idempotency/recent-keys.js';
import { KeyIsTaken, storedAnswer } from '../idempotency/store.js';
import type { Answer, Call } from '../call.js';
import type { RunnerOptions } from './options.js';
import { runWrite } from './write.js';

/**
 * Runs writes, each once per Idempotency-Key: a repeat gets the stored answer, before the operation's own checks.
 * @throws idempotency_in_progress, idempotency_mismatch
 */
export function createWriter(options: RunnerOptions): (call: Call, caller: Caller) => Promise<Answer> {
  const { database } = options;
  /** Keys claimed in this process: most racers are refused here, without taking a connection. */
  const claimed = new Set<string>();
  const recentKeys = createRecentKeys();

  return async ({ operation, input, idempotencyKey: header, inProcess }, caller) => {
    const key = header === undefined ? undefined : await idempotencyKey(header, operation, caller, input, options);
    if (!key) return runWrite(options, operation, input, caller, inProcess?.repeatKey);
    const name = key.id.toString('hex');
    // Look it up first only if a repeat is likely or preparing is costly. For other keys a failed claim reveals the
    // repeat.
    const isCostly = operation.prepare !== undefined && operation.prepareOnlyComputes !== true;
    if (isCostly || claimed.has(name) || recentKeys.has(key)) {
      const stored = await storedAnswer(database, key);
      if (stored !== undefined) return { body: stored, replayed: true };
    }
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
      const stored = await storedAnswer(database, key);
      if (stored === undefined) throw isTaken ? refusalOf.idempotency_in_progress() : error;
      recentKeys.add(key);
      return { body: stored, replayed: true };
    } finally {
      claimed.delete(name);
    }
  };
}
