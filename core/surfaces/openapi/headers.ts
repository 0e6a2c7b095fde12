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
  SvcSignature: inHeader(
    'Svc-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>` with the endpoint’s secret.',
    true,
    {},
  ),
  SvcEventId: inHeader('Svc-Event-Id', 'The event’s id, the same in every delivery.', true, { format: 'uuid' }),
  SvcDeliveryId: inHeader('Svc-Delivery-Id', 'The id of this attempt.', true, { format: 'uuid' }),
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
