import {
  dateTime,
  integer,
  list,
  named,
  nullable,
  object,
  oneOf,
  text,
  url,
  uuid,
} from '#core/kernel/schema/schema.js';
import { deliveryStatuses } from './tables/delivery.js';

export const WebhookEndpoint = named(
  'WebhookEndpoint',
  object({
    endpointId: uuid(),
    url: url(),
    eventTypes: list(text(), 'Exact names and `product.*`; empty for every event.'),
    description: nullable(text()),
    status: oneOf(['enabled', 'disabled'], 'enabled: gets events; disabled: gets none, what is queued waits.'),
    createdAt: dateTime(),
    updatedAt: dateTime(),
  }),
);

export const deliveryStatus = oneOf(
  deliveryStatuses,
  'queued: waits for its time; delivering: being sent; delivered: the endpoint answered 2xx; failed: it did not, a further attempt follows; dead: the last attempt failed, it can be replayed.',
);

export const WebhookDelivery = named(
  'WebhookDelivery',
  object({
    deliveryId: uuid(),
    endpointId: uuid(),
    eventId: uuid(),
    eventType: text(),
    attempt: integer('1 to 7.', { minimum: 1, maximum: 7 }),
    status: deliveryStatus,
    responseStatus: nullable(integer()),
    error: nullable(text()),
    durationMs: nullable(integer()),
    scheduledAt: dateTime(),
    attemptedAt: nullable(dateTime()),
    nextAttemptAt: nullable(dateTime()),
    replayOf: nullable(uuid('The delivery that this one repeats.')),
  }),
);

export const exampleEndpoint = {
  endpointId: '01890a5d-ac96-774b-bcce-b302099a8600',
  url: 'https://example.com/hooks/svc',
  eventTypes: ['email.*'],
  description: null,
  status: 'enabled' as const,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};

export const exampleDelivery = {
  deliveryId: '01890a5d-ac96-774b-bcce-b302099a8700',
  endpointId: exampleEndpoint.endpointId,
  eventId: '01890a5d-ac96-774b-bcce-b302099a8500',
  eventType: 'account.updated',
  attempt: 1,
  status: 'delivered' as const,
  responseStatus: 204,
  error: null,
  durationMs: 42,
  scheduledAt: '2026-11-20T09:30:00.000Z',
  attemptedAt: '2026-11-20T09:30:00.020Z',
  nextAttemptAt: null,
  replayOf: null,
};
