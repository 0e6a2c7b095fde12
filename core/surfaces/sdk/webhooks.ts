import type { Event } from './operations.gen.js';
import { verifyWebhook, type SignatureHeader, type VerifyOptions } from './verify-webhook.js';

/* `svc-sdk/webhooks`: receives webhook deliveries; needs node:crypto, which Node, Deno and Bun have. */
export { verifyWebhook, WebhookRejected, type SignatureHeader, type VerifyOptions } from './verify-webhook.js';
export type { Event, EventFields, EventOf, EventType, SvcEventData } from './operations.gen.js';

/**
 * Verifies a delivery and returns its event. `event.type` narrows `event.data`; keep a default branch, because newer
 * servers may send events that this version does not know. Recognize repeats by `event.id`.
 * @param rawBody the body's bytes exactly as they were received, before any parsing
 * @param header the header `Svc-Signature`
 * @param secret the endpoint's signing secret exactly as it was issued, prefix included
 * @throws WebhookRejected if the signature is missing, malformed, too old or wrong; TypeError without a secret, and for
 *   a body that was parsed
 */
export function constructEvent(
  rawBody: Uint8Array | string,
  header: SignatureHeader,
  secret: string | undefined,
  options: VerifyOptions = {},
): Event {
  verifyWebhook(rawBody, header, secret, options);
  return eventIn(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody));
}

/** The signature proves that the text is an event of svc. */
function eventIn(text: string): Event;
function eventIn(text: string): unknown {
  const event: unknown = JSON.parse(text);
  return event;
}
