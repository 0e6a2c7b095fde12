import { randomFillSync } from 'node:crypto';

const poolBytes = 4096;
const pool = Buffer.alloc(poolBytes);
let used = poolBytes;

/**
 * Random bytes for ids, nonces and tokens. They are requested for many at once: for each alone takes as long as the
 * rest of its work (measured).
 */
export function randomBytes(count: number): Buffer {
  if (count > poolBytes - used) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  const taken = Buffer.from(pool.subarray(used - count, used));
  // Whoever reads the process' memory later does not find what was given out.
  pool.fill(0, used - count, used);
  return taken;
}
