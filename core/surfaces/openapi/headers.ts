import { maxAgeHeader } from '../answer-age.js';

/** Shared headers of requests, responses and deliveries. */

const inHeader = (name: string, description: string, required: boolean, schema: object): Record<string, unknown> => ({
  name,
  in: 'header',
  required,
  schema: { type: 'string', ...schema },
  description,
});

/** `components.parameters` */
export const parameters = {
  IdempotencyKey: inHeader(
    'Idempotency-Key',
    'A repeat with the same key and input returns the stored response for 24 hours; the same key with different input is an error.',
    false,
    { minLength: 1, maxLength: 255 },
  ),
  SvcMaxAge: {
    name: maxAgeHeader,
    in: 'header',
    required: false,
    schema: { type: 'integer', minimum: 0, maximum: 999_999_999 },
    description:
      'How old the answer may be, in seconds. The seconds since your last write are an age at which the answer has it; 0 is for the newest answer.',
  },
  SvcSignature: inHeader(
    'Svc-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>` with the endpoint’s secret. During a rotation with an overlap, `,v1=<hex>` of the old secret follows.',
    true,
    {},
  ),
  SvcEventId: inHeader('Svc-Event-Id', 'The event’s id, the same in every delivery.', true, { format: 'uuid' }),
  SvcDeliveryId: inHeader('Svc-Delivery-Id', 'The id of this attempt.', true, { format: 'uuid' }),
  WebhookId: inHeader('webhook-id', 'Standard Webhooks: the event’s id, as in Svc-Event-Id.', true, { format: 'uuid' }),
  WebhookTimestamp: inHeader('webhook-timestamp', 'Standard Webhooks: unix seconds of this attempt.', true, {
    pattern: '^[0-9]+$',
  }),
  WebhookSignature: inHeader(
    'webhook-signature',
    'Standard Webhooks: `v1,<base64>`, HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>` with the endpoint’s secret. During a rotation with an overlap, a space and `v1,<base64>` of the old secret follow.',
    true,
    {},
  ),
};

/** `components.headers` */
export const answerHeaders = {
  RequestId: {
    description: 'Identifies the call in the server’s log and in its audit record.',
    schema: { type: 'string', format: 'uuid' },
  },
  IdempotentReplayed: {
    description: '`true` if this is the stored response of an earlier call with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  DataAsOf: {
    description:
      'The answer comes from a replica and knows everything that was committed before this time. Absent if the answer is the newest.',
    schema: { type: 'string', format: 'date-time' },
  },
  RetryAfter: {
    description: 'Seconds to wait; absent if only `fix` states them.',
    schema: { type: 'integer', minimum: 0 },
  },
};

export const parameter = (name: keyof typeof parameters): { $ref: string } => ({
  $ref: `#/components/parameters/${name}`,
});
export const answerHeader = (name: keyof typeof answerHeaders): { $ref: string } => ({
  $ref: `#/components/headers/${name}`,
});
