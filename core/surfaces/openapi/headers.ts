/** Headers of calls, answers and deliveries: each stands once, and is referred to. */

const inHeader = (name: string, description: string, required: boolean, schema: object): Record<string, unknown> => ({
  name,
  in: 'header',
  required,
  schema: { type: 'string', ...schema },
  description,
});

/** What stands in `components.parameters`. */
export const parameters = {
  IdempotencyKey: inHeader(
    'Idempotency-Key',
    'A repeat with the same key and input returns the stored answer for 24 hours; the same key with other input is refused.',
    false,
    { minLength: 1, maxLength: 255 },
  ),
  SvcSignature: inHeader(
    'Svc-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>` with the endpoint’s secret.',
    true,
    {},
  ),
  SvcEventId: inHeader('Svc-Event-Id', 'The event’s id, the same at every delivery.', true, { format: 'uuid' }),
  SvcDeliveryId: inHeader('Svc-Delivery-Id', 'The id of this attempt.', true, { format: 'uuid' }),
};

/** What stands in `components.headers`. */
export const answerHeaders = {
  RequestId: {
    description: 'Finds the call in the server’s log and in its audit record.',
    schema: { type: 'string', format: 'uuid' },
  },
  IdempotentReplayed: {
    description: '`true` where this is the stored answer of an earlier call with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: {
    description: 'Seconds to wait; absent where `fix` alone states them.',
    schema: { type: 'integer', minimum: 0 },
  },
};

export const parameter = (name: keyof typeof parameters): { $ref: string } => ({
  $ref: `#/components/parameters/${name}`,
});
export const answerHeader = (name: keyof typeof answerHeaders): { $ref: string } => ({
  $ref: `#/components/headers/${name}`,
});
