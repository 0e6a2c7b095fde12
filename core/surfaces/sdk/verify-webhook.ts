import { createHmac, timingSafeEqual } from 'node:crypto';

/*
 * Verifies webhook deliveries in Node programs (docs/interface.md, Events 2 and 3). Has no dependencies, so it can be copied.
 */

export interface VerifyOptions {
  /** Maximum difference between the signature's time and now. Default: 300. */
  toleranceSeconds?: number;
  /** Unix milliseconds, for tests. */
  now?: number;
}

/** Thrown when a delivery's signature is missing, malformed, too old or wrong. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected';
  constructor(readonly reason: 'malformed_header' | 'timestamp_out_of_tolerance' | 'signature_mismatch') {
    super(`The webhook signature is invalid: ${reason.replaceAll('_', ' ')}.`);
  }
}

/**
 * Checks that there is a secret: programs without types may pass none, such as of a variable that is not set. With an empty one, anybody could
 * sign.
 * @throws TypeError
 */
function requireSecret(secret: unknown): void {
  if (typeof secret === 'string' && secret !== '') return;
  throw new TypeError(
    'The webhook signing secret is missing: pass the text that begins with svc_wh_. developers.webhook.create returned it once as `secret`; developers.webhook.secret.rotate makes a new one.',
  );
}

const signatureHeader = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/**
 * Checks a delivery's `Svc-Signature`, in constant time.
 * @param rawBody the body's bytes exactly as they were received, before any parsing
 * @param header the header `Svc-Signature`
 * @param secret the endpoint's signing secret exactly as it was issued, prefix included
 * @returns the unix seconds at which it was signed
 * @throws WebhookRejected; TypeError without a secret
 */
export function verifyWebhook(
  rawBody: Uint8Array | string,
  header: string | null | undefined,
  secret: string,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): number {
  requireSecret(secret);
  const [, t = '', v1 = ''] = signatureHeader.exec(header ?? '') ?? [];
  if (t === '') throw new WebhookRejected('malformed_header');
  const expected = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest();
  if (!timingSafeEqual(expected, Buffer.from(v1, 'hex'))) throw new WebhookRejected('signature_mismatch');
  // Written so that a tolerance of NaN rejects everything.
  if (!(Math.abs(now / 1000 - Number(t)) <= toleranceSeconds)) throw new WebhookRejected('timestamp_out_of_tolerance');
  return Number(t);
}
