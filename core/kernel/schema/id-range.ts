import { dayMs } from '#core/runtime/clock.js';
import { clampMs } from './filter-time.js';
import { idBytes, newId } from '#core/runtime/id.js';

/** When a UUIDv7 was generated, by its first 48 bits (RFC 9562 §5.7). */
const generatedAt = (id: string): number => idBytes(id).readUIntBE(0, 6);

function idAt(ms: number, fill: number): Buffer {
  const id = Buffer.alloc(16, fill);
  id.writeUIntBE(clampMs(ms), 0, 6);
  return id;
}

/**
 * A range of ids that contains every row created between two times, so that a query for one week of a long log reads
 * only that week. The range is wider than the times - by a day on each side, and by the difference between the
 * deployment's clock and the one that ids are generated from - because an id is generated when a call begins and its
 * row is dated when the call ends. Callers compare the rows' own times as well.
 * @param now the deployment's current time
 */
export function idRange(
  since: Date | undefined,
  until: Date | undefined,
  now: Date,
): { from: Buffer | undefined; to: Buffer | undefined } {
  const ahead = now.getTime() - generatedAt(newId());
  return {
    from: since && idAt(since.getTime() - dayMs - Math.max(0, ahead), 0x00),
    to: until && idAt(until.getTime() + dayMs - Math.min(0, ahead), 0xff),
  };
}
