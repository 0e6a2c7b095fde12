import { createHash } from 'node:crypto';
import { idBytes, idText, shardOfId } from '#core/runtime/id.js';
import { firstShard } from '#core/runtime/shard.js';

/**
 * The id of an account's invoice for a month, which its draft already has: a UUIDv8 (RFC 9562 §5.8) made from both. Its
 * first and last bytes are those of an id that the account's shard made (core/runtime/id.ts), so that a node finds it.
 */
export function invoiceIdOf(accountId: string, period: string): string {
  const bytes = createHash('sha256').update(idBytes(accountId)).update(period).digest().subarray(0, 16);
  const shard = shardOfId(accountId);
  idBytes(accountId).copy(bytes, 0, 0, 6);
  bytes.writeUInt8(shard === firstShard ? 0 : shard, 15);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return idText(bytes);
}
