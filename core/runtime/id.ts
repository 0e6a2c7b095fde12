import { v7 } from 'uuid';

/** A new UUIDv7 (RFC 9562 §5.7): ids made later sort later, so an index on them grows at its end. */
export const newId = (): string => v7();

/** The 16 bytes that a UUID is stored as. */
export const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/** The UUID that 16 stored bytes stand for. */
export function idText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
