import { keyedDigest } from '#core/runtime/secrets/digest.js';

/**
 * Signs a delivery: HMAC-SHA256 over `<t>.<raw body>` with the secret exactly as issued, prefix included
 * (docs/interface.md, Events).
 * @param at unix seconds of the attempt: signing happens when a delivery is attempted, not when it is queued
 */
export const sign = (secret: string, at: number, body: string): Buffer =>
  keyedDigest(Buffer.from(secret, 'utf8'), `${at}.${body}`);

/** The header `Svc-Signature`. */
export const signatureHeader = (at: number, signature: Buffer): string => `t=${at},v1=${signature.toString('hex')}`;
