import { randomBytes } from 'node:crypto';
import { databaseClock } from '#core/runtime/database-clock.js';
import { firstShard, ownShard } from '#core/runtime/shard.js';

/*
 * Ids of rows that one INSERT ... SELECT makes: UUIDv7 (RFC 9562 §5.7) with a prefix of eight bytes for the statement,
 * the row's number (22 bits, RFC 9562 §6.2 method 1) and 40 random bits. They sort in the order of the rows. Shards
 * from 2 on make UUIDv8, whose last byte is the shard (core/runtime/id.ts).
 */

/** The first eight bytes of a statement's ids: the time, the version, and 12 random bits. */
export function idPrefix(): Buffer {
  const prefix = Buffer.alloc(8);
  prefix.writeUIntBE(databaseClock.now().getTime(), 0, 6);
  const version = ownShard() === firstShard ? 0x7000 : 0x8000;
  prefix.writeUInt16BE(version | (randomBytes(2).readUInt16BE() & 0x0fff), 6);
  return prefix;
}

/** An id as SQL; `?` is the prefix. @param ordinal SQL of the row's number, from 1 */
export function selectedId(ordinal: string): string {
  const shard = ownShard();
  const end =
    shard === firstShard
      ? 'CAST(FLOOR(RAND() * 1099511627776) AS UNSIGNED)'
      : `CAST(FLOOR(RAND() * 4294967296) AS UNSIGNED) * 256 + ${shard}`;
  return `CONCAT(?, UNHEX(HEX(9223372036854775808 + ${ordinal} * 1099511627776 + ${end})))`;
}

/** The row's number in an id, as SQL. */
export const ordinalOf = (id: string): string => `(CONV(HEX(SUBSTRING(${id}, 9, 3)), 16, 10) & 4194303)`;

/** Another id with the same order, as SQL; `?` is its prefix. */
export const siblingId = (id: string): string => `CONCAT(?, SUBSTRING(${id}, 9))`;

/** The smallest and the largest id with a prefix. */
export const idRange = (prefix: Buffer): [first: Buffer, last: Buffer] => [
  Buffer.concat([prefix, Buffer.alloc(8)]),
  Buffer.concat([prefix, Buffer.alloc(8, 0xff)]),
];
