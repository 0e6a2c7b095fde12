import { declareEvents } from '#core/kernel/event.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { ConsentRecord, Contact, Import, Preferences, Segment, Suppression, Topic } from './resources.js';
import {
  exampleConsentRecord,
  exampleContact,
  exampleImport,
  examplePreferences,
  exampleSegment,
  exampleSuppression,
  exampleTopic,
} from './examples.js';

const contact = object({ contact: Contact });
const consent = object({ consent: ConsentRecord });
const suppression = object({ suppression: Suppression });
const topic = object({ topic: Topic });
const segment = object({ segment: Segment });

export const events = declareEvents({
  'audience.contact.created': {
    summary: 'A contact was created.',
    subject: 'contact',
    data: contact,
    example: { contact: exampleContact },
  },
  'audience.contact.updated': {
    summary: 'A contact changed.',
    subject: 'contact',
    data: contact,
    example: { contact: { ...exampleContact, updatedAt: '2026-11-21T08:00:00.000Z' } },
  },
  'audience.contact.deleted': {
    summary: 'A contact was deleted, and the person’s data was erased.',
    subject: 'contact',
    data: object({ contactId: uuid('The contact that was erased.') }),
    example: { contactId: exampleContact.id },
  },
  'audience.contact.imported': {
    summary: 'An import finished or failed; `import` contains its status and counts.',
    subject: 'import',
    data: object({ import: Import }),
    example: {
      import: {
        ...exampleImport,
        status: 'done',
        processed: 2,
        created: 2,
        startedAt: '2026-11-20T09:30:01.000Z',
        finishedAt: '2026-11-20T09:30:02.000Z',
      },
    },
  },
  'audience.consent.granted': {
    summary: 'A contact subscribed to a topic.',
    subject: 'contact',
    data: consent,
    example: { consent: exampleConsentRecord },
  },
  'audience.consent.revoked': {
    summary: 'A contact unsubscribed from a topic.',
    subject: 'contact',
    data: consent,
    example: {
      consent: { ...exampleConsentRecord, state: 'revoked', source: 'support call', wording: null, ip: null },
    },
  },
  'audience.preferences.changed': {
    summary: 'A person changed what they want to receive.',
    subject: 'contact',
    data: object({ contactId: uuid('The contact.'), preferences: Preferences }),
    example: { contactId: exampleContact.id, preferences: { ...examplePreferences, email: exampleContact.email } },
  },
  'audience.suppression.added': {
    summary: 'An address or number was suppressed.',
    subject: 'suppression',
    countedBy: 'suppression.reason',
    data: suppression,
    example: { suppression: exampleSuppression },
  },
  'audience.suppression.lifted': {
    summary: 'A suppression was lifted.',
    subject: 'suppression',
    data: suppression,
    example: { suppression: { ...exampleSuppression, liftable: false, liftedAt: '2026-11-21T08:00:00.000Z' } },
  },
  'audience.topic.created': {
    summary: 'A topic was created.',
    subject: 'topic',
    data: topic,
    example: { topic: exampleTopic },
  },
  'audience.topic.updated': {
    summary: 'A topic changed.',
    subject: 'topic',
    data: topic,
    example: { topic: exampleTopic },
  },
  'audience.topic.archived': {
    summary: 'A topic was archived.',
    subject: 'topic',
    data: topic,
    example: {
      topic: { ...exampleTopic, archivedAt: '2026-11-21T08:00:00.000Z', updatedAt: '2026-11-21T08:00:00.000Z' },
    },
  },
  'audience.topic.restored': {
    summary: 'A topic was restored.',
    subject: 'topic',
    data: topic,
    example: { topic: exampleTopic },
  },
  'audience.segment.created': {
    summary: 'A segment was created.',
    subject: 'segment',
    data: segment,
    example: { segment: exampleSegment },
  },
  'audience.segment.updated': {
    summary: 'A segment changed.',
    subject: 'segment',
    data: segment,
    example: { segment: exampleSegment },
  },
  'audience.segment.deleted': {
    summary: 'A segment was deleted.',
    subject: 'segment',
    data: segment,
    example: { segment: exampleSegment },
  },
});

declare module '#core/kernel/event.js' {
  interface DeclaredEvents extends Readonly<typeof events> {}
}
