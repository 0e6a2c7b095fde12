import { createHmac, timingSafeEqual } from 'node:crypto';

/*
 * Verifies webhook deliveries in Node programs (docs/interface.md, Events 2 and 3). It has no dependencies, so it can
 * be copied.
 */

export interface VerifyOptions {
  /** Maximum difference between the signature's time and now. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** Unix milliseconds, for tests. */
  now?: number | undefined;
}

/**
 * The header as `request.headers['svc-signature']` of Node or `request.headers.get('svc-signature')` gives it. A list
 * is refused as malformed.
 */
export type SignatureHeader = string | readonly string[] | null | undefined;

const reasons = {
  malformed_header: 'the header Svc-Signature is missing or malformed; pass it as request.headers["svc-signature"]',
  timestamp_out_of_tolerance: 'it was made too long ago, or this machine’s clock is wrong',
  signature_mismatch: 'the secret is not this endpoint’s, or the body was changed after it was received',
} as const;

/** Thrown when a delivery's signature is missing, malformed, too old or wrong. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected';
  constructor(readonly reason: keyof typeof reasons) {
    super(`The webhook signature is invalid: ${reasons[reason]}.`);
  }
}

/**
 * Checks that there is a secret: programs without types may pass none, for example from an unset variable. With an
 * empty one, anyone could sign.
 * @throws TypeError
 */
function requireSecret(secret: unknown): asserts secret is string {
  if (typeof secret === 'string' && secret !== '') return;
  throw new TypeError(
    'The webhook signing secret is missing: pass the text that begins with svc_wh_. developers.webhook.create returned it once as `secret`; developers.webhook.secret.rotate makes a new one.',
  );
}

/**
 * Checks that the body is in the form in which it was received. Frameworks parse JSON before a handler sees it, and the
 * parsed value has no signature.
 * @throws TypeError
 */
function requireRawBody(body: unknown): void {
  if (typeof body === 'string' || body instanceof Uint8Array) return;
  throw new TypeError(
    'The webhook’s body is parsed already: pass its bytes or text exactly as received. In Express, express.raw({ type: "application/json" }) on this route gives them as request.body.',
  );
}

/**
 * Checks the tolerance: text from an environment variable or Infinity would accept old deliveries.
 * @throws TypeError
 */
function requireTolerance(seconds: unknown): void {
  if (typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0) return;
  throw new TypeError('toleranceSeconds must be a finite number of at least 0.');
}

/**
 * Several v1 values are signatures with several secrets, such as the old and the new one; at most ten, so that a
 * header costs little.
 */
const signatureHeader = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64}){1,10})$/;

/**
 * Checks a delivery's `Svc-Signature`, in constant time. One of its v1 values must match.
 * @param rawBody the body's bytes exactly as they were received, before any parsing
 * @param header the header `Svc-Signature`
 * @param secret the endpoint's signing secret exactly as it was issued, prefix included
 * @returns the unix seconds at which it was signed
 * @throws WebhookRejected; TypeError without a secret, for a body that was parsed, and for a tolerance that is not a
 *   number
 */
export function verifyWebhook(
  rawBody: Uint8Array | string,
  header: SignatureHeader,
  secret: string | undefined,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): number {
  requireSecret(secret);
  requireTolerance(toleranceSeconds);
  requireRawBody(rawBody);
  const [, t = '', signatures = ''] = (typeof header === 'string' && signatureHeader.exec(header)) || [];
  if (t === '') throw new WebhookRejected('malformed_header');
  const expected = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest();
  const matching = signatures
    .split(',v1=')
    .filter((v1) => v1 !== '' && timingSafeEqual(expected, Buffer.from(v1, 'hex')));
  if (matching.length === 0) throw new WebhookRejected('signature_mismatch');
  // Written so that a clock of NaN rejects everything.
  if (!(Math.abs(now / 1000 - Number(t)) <= toleranceSeconds)) throw new WebhookRejected('timestamp_out_of_tolerance');
  return Number(t);
}
