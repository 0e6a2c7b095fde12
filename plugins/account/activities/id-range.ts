import { idBytes, newId } from '#core/runtime/id.js';

const dayMs = 86_400_000;
/** The last moment that six bytes of a UUIDv7 and a DATETIME both hold. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The moment that a UUIDv7 was made at, by its own first 48 bits (RFC 9562 §5.7). */
const momentOf = (id: string): number => idBytes(id).readUIntBE(0, 6);

const within = (ms: number): number => Math.min(Math.max(0, ms), lastMs);

/** A moment of the input, brought to between 1970 and 9999: MySQL refuses to compare with what no DATETIME holds. */
export const storable = (moment: string | undefined): Date | undefined =>
  moment === undefined ? undefined : new Date(within(Date.parse(moment)));

function idAt(ms: number, fill: number): Buffer {
  const id = Buffer.alloc(16, fill);
  id.writeUIntBE(within(ms), 0, 6);
  return id;
}

/**
 * Between which ids the rows of a span of time lie, so that asking for one week of a long log reads that week alone. The bounds are
 * wide - a day on each side, and what the deployment's clock differs from the one that ids are made by - because an id is made when
 * a call begins and its row is dated when it ends: they spare reading, and the rows' own times decide.
 */
export function idsBetween(
  since: Date | undefined,
  until: Date | undefined,
  now: Date,
): { from: Buffer | undefined; to: Buffer | undefined } {
  const ahead = now.getTime() - momentOf(newId());
  return {
    from: since && idAt(since.getTime() - dayMs - Math.max(0, ahead), 0x00),
    to: until && idAt(until.getTime() + dayMs - Math.min(0, ahead), 0xff),
  };
}
