import { defineOperation } from '#core/kernel/operation.js';
import { namePattern } from '#core/kernel/schema/patterns.js';
import { anything, boolean, dateTime, list, map, object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { exampleContact } from '../../examples.js';
import { eventTriggers } from '../../ports.js';
import { lockContactId } from '../../contacts/find.js';
import { externalId, contactSelector } from '../../contacts/input.js';
import { recordEvent } from '../../events/record.js';
import { requireJsonSize } from '#core/kernel/schema/json-size.js';
import { pastDate } from '#core/kernel/schema/past-date.js';

/** Size of the properties as JSON. */
const maxBytes = 32 * 1024;

export default defineOperation({
  name: 'audience.event.record',
  summary: 'Records something that a contact did in your product, such as order.placed.',
  description:
    'Segments can use it, and it can trigger automations. Segments use its count and last time (event.<name>.count, event.<name>.lastAt), which are kept when the event itself is deleted after SVC_EVENT_RETENTION_DAYS. Recording the same name and eventId again returns `recorded: false` and counts nothing.',
  keywords: 'track purchase behaviour behavior',
  access: 'secret',
  input: object(
    {
      ...contactSelector,
      externalId: optional(externalId),
      name: text('What happened, such as order.placed.', { pattern: namePattern }),
      properties: optional(map(anything(), 'Details of the event: any JSON, at most 32 KiB.')),
      occurredAt: optional(dateTime('When it happened. Defaults to now.')),
      eventId: optional(
        text('Your own id for the event: the same name and eventId are recorded only once.', {
          minLength: 1,
          maxLength: 200,
        }),
      ),
    },
    { exactlyOneOf: ['contactId', 'email', 'phone', 'externalId'] },
  ),
  output: object({
    recorded: boolean('False if this eventId was already recorded for this event name.'),
    enrolled: list(uuid(), 'The automations that enrolled the contact.'),
  }),
  example: {
    input: { email: exampleContact.email, name: 'order.placed', properties: { total: 49.9 }, eventId: 'order-1024' },
    output: { recorded: true, enrolled: [] },
  },

  async handle({ name, properties = {}, occurredAt, eventId, ...selector }, context) {
    const { db, caller, clock, use, audit } = context;
    requireJsonSize('properties', properties, maxBytes);
    const at = pastDate(occurredAt, 'occurredAt', clock.now());
    const { environment } = caller;
    const contactId = await lockContactId(db, environment, selector);
    const event = { environment, contactId, name, properties, occurredAt: at };
    const recorded = await recordEvent(context, event, eventId ?? null);
    audit({
      subject: { type: 'contact', id: contactId },
      personId: contactId,
      summary: `Recorded ${name}.`,
      changes: recorded ? [{ field: `event.${name}`, from: null, to: at.toISOString() }] : [],
      unchanged: `${name} was already recorded.`,
    });
    return { recorded, enrolled: recorded ? await use(eventTriggers).recorded(event) : [] };
  },
});
