import type { ImageRow } from '../tables/image.js';

/** What the first bytes of a picture say. */
export type Measured = Pick<ImageRow, 'type' | 'width' | 'height'>;

/**
 * The form and the size of a picture, read from its header; nothing is decoded.
 * @returns undefined if the bytes are not a JPEG (ISO/IEC 10918-1), PNG (ISO/IEC 15948), GIF (89a) or WebP (RFC 9649)
 */
export function measure(data: Buffer): Measured | undefined {
  const found = png(data) ?? gif(data) ?? webp(data) ?? jpeg(data);
  return found && found.width > 0 && found.height > 0 ? found : undefined;
}

const startsWith = (data: Buffer, bytes: string, at = 0): boolean =>
  data.subarray(at, at + bytes.length).equals(Buffer.from(bytes, 'latin1'));

const png = (data: Buffer): Measured | undefined =>
  data.length >= 24 && startsWith(data, '\x89PNG\r\n\x1a\n') && startsWith(data, 'IHDR', 12)
    ? { type: 'png', width: data.readUInt32BE(16) & 0x7f_ff_ff_ff, height: data.readUInt32BE(20) & 0x7f_ff_ff_ff }
    : undefined;

const gif = (data: Buffer): Measured | undefined =>
  data.length >= 10 && (startsWith(data, 'GIF87a') || startsWith(data, 'GIF89a'))
    ? { type: 'gif', width: data.readUInt16LE(6), height: data.readUInt16LE(8) }
    : undefined;

/** The first chunk is VP8 (lossy), VP8L (lossless) or VP8X (extended). */
function webp(data: Buffer): Measured | undefined {
  if (data.length < 30 || !startsWith(data, 'RIFF') || !startsWith(data, 'WEBP', 8)) return undefined;
  if (startsWith(data, 'VP8X', 12))
    return { type: 'webp', width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
  if (startsWith(data, 'VP8L', 12)) {
    const bits = data.readUInt32LE(21);
    return { type: 'webp', width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 };
  }
  if (!startsWith(data, 'VP8 ', 12)) return undefined;
  return { type: 'webp', width: data.readUInt16LE(26) & 0x3f_ff, height: data.readUInt16LE(28) & 0x3f_ff };
}

/** Segments that a frame's header may come after; a JPEG has few, so more are not read. */
const mostSegments = 1_000;

function jpeg(data: Buffer): Measured | undefined {
  if (!startsWith(data, '\xff\xd8\xff')) return undefined;
  let at = 2;
  for (let read = 0; read < mostSegments && at + 9 < data.length; read += 1) {
    if (data[at] !== 0xff) return undefined;
    const marker = data[at + 1] ?? 0;
    // Fill bytes before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // A start of frame, except DHT (c4), JPG (c8) and DAC (cc).
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { type: 'jpg', width: data.readUInt16BE(at + 7), height: data.readUInt16BE(at + 5) };
    at += 2 + data.readUInt16BE(at + 2);
  }
  return undefined;
}
