import type { Catalogue } from '#core/kernel/catalogue.js';
import type { EventDeclaration } from '#core/kernel/events/declare.js';
import { Event, exampleEvent } from '#core/kernel/events/resource.js';
import { exampleOf } from '#core/kernel/schema/example.js';
import { pascal } from '#core/surfaces/names.js';
import { described, schemaReference, type Components } from './components.js';
import { parameter } from './headers.js';

/** A tag of their own: generators make a class per tag, and would write a product's events over its operations. */
export const eventsTag = { name: 'webhooks', description: 'What an endpoint of yours is sent.' };

/** Every event as a webhook delivers it: its payload's schema, and an example. */
export function describeEvents(catalogue: Catalogue, components: Components): Record<string, unknown> {
  return Object.fromEntries(
    [...catalogue.events].map(([name, event]) => [name, { post: describeEvent(name, event, components) }]),
  );
}

function describeEvent(
  name: string,
  { summary, subject, data }: EventDeclaration,
  components: Components,
): Record<string, unknown> {
  const payload = `${pascal(name)}Event`;
  components.set(payload, {
    allOf: [
      described(Event, 'reply', components),
      {
        type: 'object',
        required: ['type', 'data'],
        properties: {
          // Not `const`: generators that do not know it take two events for one.
          type: { type: 'string', enum: [name] },
          data: described(data, 'reply', components),
        },
      },
    ],
  });
  const example = {
    ...exampleEvent,
    type: name,
    subject: { type: subject, id: exampleEvent.subject.id },
    data: exampleOf(data),
  };
  return {
    operationId: `webhook.${name}`,
    tags: [eventsTag.name],
    summary,
    description: `About: ${subject}. Answer 2xx as soon as Svc-Signature checks; tell repeats by Svc-Event-Id.`,
    // No key: the signature proves the sender.
    security: [],
    parameters: [parameter('SvcSignature'), parameter('SvcEventId'), parameter('SvcDeliveryId')],
    requestBody: { required: true, content: { 'application/json': { schema: schemaReference(payload), example } } },
    responses: {
      '2XX': { description: 'Delivered. Anything else is tried again, six times in about a day and a half.' },
    },
  };
}
