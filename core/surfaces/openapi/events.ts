import type { Catalogue } from '#core/kernel/catalogue.js';
import { Event, exampleEvent } from '#core/kernel/events/resource.js';
import { exampleOf } from '#core/kernel/schema/example.js';
import { described, type Components } from './components.js';

/** Every event as a webhook delivers it: its payload's schema, and an example. */
export function describeEvents(catalogue: Catalogue, components: Components): Record<string, unknown> {
  return Object.fromEntries(
    [...catalogue.events].map(([name, { summary, subject, data }]) => [
      name,
      {
        post: {
          operationId: `webhook.${name}`,
          tags: [name.split('.')[0]],
          summary,
          description: `About: ${subject}. Answer 2xx as soon as Svc-Signature checks; tell repeats by Svc-Event-Id.`,
          parameters: headers,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  allOf: [
                    described(Event, components),
                    { properties: { type: { const: name }, data: described(data, components) } },
                  ],
                },
                example: {
                  ...exampleEvent,
                  type: name,
                  subject: { type: subject, id: exampleEvent.subject.id },
                  data: exampleOf(data),
                },
              },
            },
          },
          responses: {
            '2XX': { description: 'Delivered. Anything else is tried again, six times in about a day and a half.' },
          },
        },
      },
    ]),
  );
}

const header = (name: string, description: string): Record<string, unknown> => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
  description,
});

const headers = [
  header('Svc-Signature', '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>` with the endpoint’s secret.'),
  header('Svc-Event-Id', 'The event’s id, the same at every delivery.'),
  header('Svc-Delivery-Id', 'The id of this attempt.'),
];
