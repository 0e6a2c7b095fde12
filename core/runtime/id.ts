import { Buffer } from 'node:buffer';
import { v7 } from 'uuid';
import { databaseClock } from './database-clock.js';
import { randomBytes } from './random-bytes.js';
import { firstShard, lastShard, ownShard } from './shard.js';

/** How far ids may be ahead of the clock, because many were made in a millisecond or the clock was corrected. */
const mostAheadMs = 10_000;

let lastMs = 0;
let sequence = 0;

/**
 * A new UUIDv7 (RFC 9562 §5.7). Later ids sort later, so an index on them grows at its end. Ids of the same millisecond
 * have a counter (§6.2, method 1) that starts at 31 random bits.
 *
 * Shards from 2 on make UUIDv8 (§5.8) with the layout of a v7, except that the last byte is the shard's number.
 */
export function newId(): string {
  const random = randomBytes(16);
  const now = databaseClock.now().getTime();
  // If the clock was far ahead, ids do not continue from that time.
  if (now > lastMs || now < lastMs - mostAheadMs) {
    lastMs = now;
    sequence = random.readUInt32BE(0) >>> 1;
  } else {
    sequence = (sequence + 1) | 0;
    if (sequence === 0) lastMs += 1;
  }
  const id = v7({ msecs: lastMs, seq: sequence, random });
  return ownShard() === firstShard ? id : ofShard(id, ownShard());
}

const ofShard = (id: string, shard: number): string =>
  `${id.slice(0, 14)}8${id.slice(15, -2)}${shard.toString(16).padStart(2, '0')}`;

/** No id of a shard is older or newer. A UUIDv8 that is a digest, as of older invoices, nearly always is. */
const [earliest, latest] = [Date.UTC(2020, 0), Date.UTC(2100, 0)];

/**
 * The shard that made an id.
 * @param id a UUID in either case
 * @returns 1 for ids without a shard, which includes ids that svc did not make
 */
export function shardOfId(id: string): number {
  if (id[14] !== '8') return firstShard;
  const madeAt = Number.parseInt(`${id.slice(0, 8)}${id.slice(9, 13)}`, 16);
  const shard = Number.parseInt(id.slice(-2), 16);
  const isOfShard = madeAt >= earliest && madeAt <= latest && shard >= firstShard && shard <= lastShard;
  return isOfShard ? shard : firstShard;
}

/** The stored form of a UUID: 16 bytes. */
export const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/** The UUID of 16 stored bytes. */
export function idText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The UUID of 16 stored bytes, as SQL. @param id SQL of the bytes */
export const idTextSql = (id: string): string =>
  `LOWER(INSERT(INSERT(INSERT(INSERT(HEX(${id}), 9, 0, '-'), 14, 0, '-'), 19, 0, '-'), 24, 0, '-'))`;

/**
 * The smallest id that can be generated at a time: ids begin with their milliseconds (RFC 9562 §5.7), on every shard.
 */
export function firstIdAt(at: Date): Buffer {
  const id = Buffer.alloc(16);
  id.writeUIntBE(at.getTime(), 0, 6);
  return id;
}
