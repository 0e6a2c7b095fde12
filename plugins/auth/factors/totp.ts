import { typedCode } from '#core/kernel/schema/typed.js';
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** What authenticator apps assume if an address does not state anything else (RFC 6238; apps ignore other values). */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** How far a phone's clock may be off, in steps of 30 seconds (RFC 6238 section 5.2 recommends one). */
const driftSteps = 1;
/** RFC 4226 section 4 recommends 160 bits. */
const secretBytes = 20;

export const newTotpSecret = (): Buffer => randomBytes(secretBytes);

/** A secret as people type it into an app: base32 without padding. */
export const totpSecretText = (secret: Buffer): string => secretOf(secret).base32;

/**
 * The address that authenticator apps read from a QR code.
 * @param issuer shown above the code: see `nameForUsers`
 * @param label shown beside it: the user's address
 */
export function otpauthUrl(secret: Buffer, issuer: string, label: string): string {
  // A colon separates issuer and label, so neither may contain one.
  const plain = (text: string): string => text.replaceAll(':', ' ').trim();
  return new TOTP({ ...form, secret: secretOf(secret), issuer: plain(issuer), label: plain(label) }).toString();
}

/**
 * The time step that a code belongs to: the current one, the one before or the one after.
 * @param code as the user typed it; see typedCode
 * @returns null if the code is wrong
 */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | null {
  const token = typedCode(code);
  // The library throws for other characters that take more bytes.
  if (!/^[0-9]{6}$/.test(token)) return null;
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    ...form,
    token,
    secret: secretOf(secret),
    timestamp,
    window: driftSteps,
  });
  return delta === null ? null : TOTP.counter({ period: form.period, timestamp }) + delta;
}

/** A copy, because small Buffers share one ArrayBuffer. */
const secretOf = (secret: Buffer): Secret => new Secret({ buffer: Uint8Array.from(secret).buffer });
