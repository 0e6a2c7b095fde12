/* `svc-sdk/webhooks`: receives webhook deliveries; needs node:crypto, which Node, Deno and Bun have. */
export { constructEvent } from './construct-event.js';
export { verifyWebhook, WebhookRejected, type SignatureHeader, type VerifyOptions } from './verify-webhook.js';
export type { Event, EventFields, EventOf, EventType, SvcEventData } from './operations.gen.js';
