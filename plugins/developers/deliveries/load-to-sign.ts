import type { LoadedDelivery } from './load.js';

/**
 * A delivery is signed within this time of the beginning of the read that brought its secret. developers.webhook.secret.rotate answers this long after
 * its commit, so that no signature that is made after the answer, on any node, is of the old secret.
 */
export const signWithinMs = 500;

/** Slower databases make the attempt fail, and it is repeated later. */
const reads = 3;

/**
 * Reads a delivery for an attempt that signs it at once.
 * @param load reads it; null where it no longer exists
 * @throws Error where each read takes too long
 */
export async function loadToSign(load: () => Promise<LoadedDelivery | null>): Promise<LoadedDelivery | null> {
  for (let count = 0; count < reads; count += 1) {
    const began = performance.now();
    const loaded = await load();
    if (performance.now() - began < signWithinMs) return loaded;
  }
  throw new Error(`The database took longer than ${signWithinMs} ms to read a webhook delivery, ${reads} times.`);
}
