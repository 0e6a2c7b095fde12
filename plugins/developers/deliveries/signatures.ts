import { keyedDigest } from '#core/runtime/secrets/digest.js';

/**
 * Signs a delivery: HMAC-SHA256 over `<t>.<raw body>` with the secret exactly as issued, prefix included
 * (docs/interface.md, Events).
 * @param at unix seconds of the attempt: signing happens when a delivery is attempted, not when it is queued
 */
export const sign = (secret: string, at: number, body: string): Buffer => keyedDigest(keyOf(secret), `${at}.${body}`);

/** Signs a delivery by Standard Webhooks: HMAC-SHA256 over `<id>.<timestamp>.<raw body>`, with the same key. */
export const standardSign = (secret: string, eventId: string, at: number, body: string): Buffer =>
  keyedDigest(keyOf(secret), `${eventId}.${at}.${body}`);

/** The header `Svc-Signature`. @param before made with the secret before, if a rotation lets both sign */
export const signatureHeader = (at: number, signature: Buffer, before: Buffer | null): string =>
  [`t=${at}`, ...[signature, ...(before ? [before] : [])].map((each) => `v1=${each.toString('hex')}`)].join(',');

/** The header `webhook-signature` of Standard Webhooks. @param before as for `signatureHeader` */
export const standardSignatureHeader = (signature: Buffer, before: Buffer | null): string =>
  [signature, ...(before ? [before] : [])].map((each) => `v1,${each.toString('base64')}`).join(' ');

/**
 * A signing secret in the form that the libraries of Standard Webhooks take: `whsec_` and the base64 of the HMAC key,
 * which is the whole secret.
 */
export const standardSecret = (secret: string): string => `whsec_${keyOf(secret).toString('base64')}`;

const keyOf = (secret: string): Buffer => Buffer.from(secret, 'utf8');
