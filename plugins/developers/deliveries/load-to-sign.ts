import type { LoadedDelivery } from './load.js';

/**
 * A delivery is signed within this time after the start of the read that returned its secret.
 * developers.webhook.secret.rotate answers this long after its commit, so that after the answer no node makes a
 * signature with the old secret.
 */
export const signWithinMs = 500;

/** If the database is slower, the attempt fails and is repeated later. */
const reads = 3;

/**
 * Reads a delivery for an attempt that signs it immediately.
 * @param load reads it; null if it no longer exists
 * @throws Error if each read takes too long
 */
export async function loadToSign(load: () => Promise<LoadedDelivery | null>): Promise<LoadedDelivery | null> {
  for (let count = 0; count < reads; count += 1) {
    const began = performance.now();
    const loaded = await load();
    if (performance.now() - began < signWithinMs) return loaded;
  }
  throw new Error(`The database took longer than ${signWithinMs} ms to read a webhook delivery, ${reads} times.`);
}
