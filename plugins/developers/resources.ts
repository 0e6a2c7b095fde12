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

/** The secret in the replies that show it once. */
export const exampleSecret = 'svc_wh_9fKqH2v7Lw0XcYt5RbNz8mQaJd3EsPg6UiTo1CkVxWy';

/** The same secret for libraries of Standard Webhooks. */
export const standardSecretText = text(
  'The same secret in the form that the libraries of Standard Webhooks take: `whsec_` and base64. It is not shown again.',
);

export const WebhookEndpoint = named(
  'WebhookEndpoint',
  object(
    {
      endpointId: uuid('The endpoint’s id.'),
      url: url('The URL that events are sent to.'),
      eventTypes: list(text(), 'Exact event names and `product.*`; empty for every event.'),
      description: nullable(text('A description for people.')),
      status: oneOf(
        ['enabled', 'disabled'],
        'enabled: receives events; disabled: receives none, and queued deliveries wait.',
      ),
      previousSecretUntil: nullable(
        dateTime(
          'Until when deliveries are also signed with the secret before the last rotation; null if they are not.',
        ),
      ),
      createdAt: dateTime('When it was created.'),
      updatedAt: dateTime('When it last changed.'),
    },
    {
      description: 'A webhook endpoint: a URL that receives events.',
      columns: ['endpointId', 'url', 'status', 'eventTypes', 'description', 'createdAt'],
    },
  ),
);

export const deliveryStatus = oneOf(
  deliveryStatuses,
  'queued: waiting until it is due; delivering: being sent; delivered: the endpoint returned 2xx; failed: it did not, and another attempt follows; dead: the last attempt failed; it can be replayed.',
);

export const WebhookDelivery = named(
  'WebhookDelivery',
  object(
    {
      deliveryId: uuid('The attempt’s id.'),
      endpointId: uuid('The endpoint that it is sent to.'),
      eventId: uuid('The event that it carries.'),
      eventType: text('That event’s name.'),
      attempt: integer('1 to 7.', { minimum: 1, maximum: 7 }),
      status: deliveryStatus,
      responseStatus: nullable(integer('The HTTP status that the receiver returned; null if there was no response.')),
      error: nullable(text('Why it failed; null if it did not.')),
      durationMs: nullable(integer('How long the attempt took, in milliseconds.')),
      scheduledAt: dateTime('When it was due.'),
      attemptedAt: nullable(dateTime('When it was attempted; null before.')),
      nextAttemptAt: nullable(dateTime('When the next attempt is due; null if there is none.')),
      replayOf: nullable(uuid('The delivery that this one replays.')),
    },
    {
      description: 'An attempt to deliver an event to an endpoint.',
      columns: [
        'deliveryId',
        'status',
        'error',
        'eventType',
        'responseStatus',
        'attempt',
        'attemptedAt',
        'nextAttemptAt',
        'eventId',
        'endpointId',
      ],
    },
  ),
);

export const exampleEndpoint = {
  endpointId: '01890a5d-ac96-774b-bcce-b302099a8600',
  url: 'https://example.com/hooks/svc',
  eventTypes: ['account.*'],
  description: null,
  status: 'enabled' as const,
  previousSecretUntil: null,
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

/** `exampleDelivery`, sent again but not attempted yet. */
export const exampleReplay = {
  ...exampleDelivery,
  deliveryId: '01890a5d-ac96-774b-bcce-b302099a8701',
  status: 'queued' as const,
  responseStatus: null,
  durationMs: null,
  attemptedAt: null,
  replayOf: exampleDelivery.deliveryId,
};
