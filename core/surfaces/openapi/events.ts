import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import type { EventDeclaration } from '#core/kernel/event.js';
import { examplePayload } from '#core/kernel/events/example.js';
import { Event } from '#core/kernel/events/resource.js';
import { pascal } from '../names.js';
import { described, schemaReference, type Components } from './components.js';
import { parameter } from './headers.js';

/** A separate tag: generators make a class per tag, and a product's events would overwrite its operations. */
export const eventsTag = { name: 'webhooks', description: 'Events that are delivered to your webhook endpoints.' };

/** Describes every event as a webhook delivers it, with its payload's schema and an example. */
export function describeEvents(catalogue: Catalogue, components: Components): Record<string, unknown> {
  return Object.fromEntries(
    [...catalogue.events].map(([name, event]) => [name, { post: describeEvent(name, event, components) }]),
  );
}

function describeEvent(name: string, event: EventDeclaration, components: Components): Record<string, unknown> {
  const { summary, subject, data } = event;
  const payload = `${pascal(name)}Event`;
  components.set(payload, {
    allOf: [
      described(Event, 'reply', components),
      {
        type: 'object',
        required: ['type', 'data'],
        properties: {
          // Not `const`: generators without support for it would confuse events.
          type: { type: 'string', enum: [name] },
          data: described(data, 'reply', components),
        },
      },
    ],
  });
  const example = examplePayload(name, event);
  return {
    operationId: `webhook.${name}`,
    tags: [eventsTag.name],
    summary,
    description: `About: ${subject}. Verify Svc-Signature or webhook-signature, then answer 2xx at once. Repeated deliveries have the same Svc-Event-Id.`,
    // The signature authenticates the sender.
    security: [],
    parameters: [
      parameter('SvcSignature'),
      parameter('SvcEventId'),
      parameter('SvcDeliveryId'),
      parameter('WebhookId'),
      parameter('WebhookTimestamp'),
      parameter('WebhookSignature'),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: schemaReference(payload), example } } },
    responses: {
      '2XX': { description: 'Delivered. Any other status is retried six times within about a day and a half.' },
    },
  };
}
