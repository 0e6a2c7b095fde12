import { createHash } from 'node:crypto';
import { idBytes, idText, shardOfId } from '#core/runtime/id.js';
import { firstShard } from '#core/runtime/shard.js';

/**
 * The id of an account's invoice for a month, which its draft already has: a UUIDv8 (RFC 9562 §5.8) made from both.
 *
 * The first and last bytes name the account's shard as in ids that the shard made (core/runtime/id.ts), so that a node
 * finds the invoice. Invoices of the first shard stay digests, because drafts had such ids before svc had shards. One
 * digest in a hundred looks like the id of another shard, until its last byte is 0.
 */
export function invoiceIdOf(accountId: string, period: string): string {
  const bytes = createHash('sha256').update(idBytes(accountId)).update(period).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const shard = shardOfId(accountId);
  if (shard !== firstShard) {
    idBytes(accountId).copy(bytes, 0, 0, 6);
    bytes.writeUInt8(shard, 15);
  } else if (shardOfId(idText(bytes)) !== firstShard) bytes.writeUInt8(0, 15);
  return idText(bytes);
}
