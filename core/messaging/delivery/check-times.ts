import { lanes } from '#core/runtime/work/queue.js';

/**
 * How long a check is valid, in milliseconds. A message that waits longer is checked again before it is sent, so that
 * an opt-out, a pause or a closure in between is respected. It is longer for bulk mail, which nearly always waits, so
 * that it can be checked in larger batches.
 */
export const checkedForMs = (lane: number): number => (lane === lanes.bulk ? 100 : 5);

/** A check that took longer is made once more: it says how things were when it began. */
export const longestCheckMs = 1_000;

/**
 * How long after the beginning of its last check a message may be submitted, in milliseconds. The check found the
 * lease, which is renewed every 5 s and lasts 30 s.
 */
export const submittableMs = 20_000;
