import { randomFillSync } from 'node:crypto';

const poolBytes = 4096;
const pool = Buffer.alloc(poolBytes);
let used = poolBytes;

/**
 * Random bytes for ids, nonces and tokens. They are generated for many values at a time: generating them for each value
 * separately takes as long as the rest of its work (measured).
 */
export function randomBytes(count: number): Buffer {
  if (count > poolBytes - used) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  const taken = Buffer.from(pool.subarray(used - count, used));
  // Bytes that were handed out cannot be read from the process's memory later.
  pool.fill(0, used - count, used);
  return taken;
}
