import { declareEvents } from '#core/kernel/event.js';
import { anything, integer, map, nullable, object, text, uuid } from '#core/kernel/schema/schema.js';
import { Key } from './keys/resources.js';
import { WebhookDelivery, WebhookEndpoint } from './resources.js';
import { exampleKey } from './keys/resources.js';
import { exampleEndpoint, exampleReplay } from './resources.js';

const endpoint = object({ endpoint: WebhookEndpoint });

export const events = declareEvents({
  'developers.key.created': {
    summary: 'A key was created.',
    subject: 'key',
    data: object({ key: Key }),
    example: { key: exampleKey },
  },
  'developers.key.updated': {
    summary: 'A key’s name, permissions or origins changed.',
    subject: 'key',
    data: object({ key: Key }),
    example: { key: exampleKey },
  },
  'developers.key.rotated': {
    summary: 'A key was replaced. The old one stopped working immediately.',
    subject: 'key',
    data: object({ key: Key, revokedKeyId: uuid('The key that was replaced.') }),
    example: { key: exampleKey, revokedKeyId: '01890a5d-ac96-774b-bcce-b302099a8058' },
  },
  'developers.key.revoked': {
    summary: 'A key was revoked.',
    subject: 'key',
    data: object({ key: Key }),
    example: { key: { ...exampleKey, revokedAt: '2026-11-21T08:00:00.000Z' } },
  },
  'developers.webhook.created': {
    summary: 'An endpoint was created.',
    subject: 'webhook',
    data: endpoint,
    example: { endpoint: exampleEndpoint },
  },
  'developers.webhook.updated': {
    summary: 'An endpoint’s URL, filter or description changed.',
    subject: 'webhook',
    data: endpoint,
    example: { endpoint: exampleEndpoint },
  },
  'developers.webhook.secret_rotated': {
    summary: 'An endpoint’s signing secret was rotated.',
    subject: 'webhook',
    data: endpoint,
    example: { endpoint: exampleEndpoint },
  },
  'developers.webhook.enabled': {
    summary: 'Deliveries to an endpoint resumed.',
    subject: 'webhook',
    data: endpoint,
    example: { endpoint: exampleEndpoint },
  },
  'developers.webhook.disabled': {
    summary: 'Deliveries to an endpoint stopped: by a call, or because it failed for five days or returned 410.',
    subject: 'webhook',
    data: endpoint,
    example: { endpoint: { ...exampleEndpoint, status: 'disabled' } },
  },
  'developers.webhook.test': {
    summary: 'A test of an endpoint. It is sent only to that endpoint.',
    subject: 'webhook',
    data: object({
      endpoint: WebhookEndpoint,
      sample: nullable(
        object(
          { type: text('The event type that the test requested.'), data: map(anything(), 'An example of its data.') },
          { description: 'The event type that the test requested; null if it did not request one.' },
        ),
      ),
    }),
    example: { endpoint: exampleEndpoint, sample: null },
  },
  'developers.webhook.replayed': {
    summary: 'A delivery was replayed.',
    subject: 'delivery',
    data: object({ delivery: WebhookDelivery }),
    example: {
      delivery: exampleReplay,
    },
  },
  'developers.webhook.dead_replayed': {
    summary: 'An endpoint’s dead deliveries were replayed.',
    subject: 'webhook',
    data: object({ endpoint: WebhookEndpoint, replayed: integer('The number of deliveries.') }),
    example: { endpoint: exampleEndpoint, replayed: 3 },
  },
});

declare module '#core/kernel/event.js' {
  interface DeclaredEvents extends Readonly<typeof events> {}
}
