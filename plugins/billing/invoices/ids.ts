import { createHash } from 'node:crypto';
import { idBytes, idText } from '#core/runtime/id.js';

/**
 * The id of an account's invoice for a month, which its draft already has: a UUIDv8 (RFC 9562 §5.8) made from both, so
 * that a month cannot have a second invoice.
 */
export function invoiceIdOf(accountId: string, period: string): string {
  const bytes = createHash('sha256').update(idBytes(accountId)).update(period).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return idText(bytes);
}
