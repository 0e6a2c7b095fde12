const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * The bytes of a text in base32 (RFC 4648), in any case, with or without padding, white space and hyphens.
 * @returns undefined for other text
 */
export function base32Bytes(text: string): Buffer | undefined {
  const digits = text.replace(/[\s-]/g, '').replace(/=+$/, '').toUpperCase();
  let [bits, value] = [0, 0];
  const bytes: number[] = [];
  for (const digit of digits) {
    const number = alphabet.indexOf(digit);
    if (number === -1) return undefined;
    value = ((value << 5) | number) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 0xff);
    }
  }
  return Buffer.from(bytes);
}
