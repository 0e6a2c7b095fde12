import { declareEvents } from '#core/kernel/events/declare.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { ConsentRecord, Contact, Import, Preferences, Segment, Suppression, Topic } from './resources.js';

const contact = object({ contact: Contact });
const consent = object({ consent: ConsentRecord });
const suppression = object({ suppression: Suppression });
const topic = object({ topic: Topic });
const segment = object({ segment: Segment });

export const events = declareEvents({
  'audience.contact.created': { summary: 'A contact was created.', subject: 'contact', data: contact },
  'audience.contact.updated': { summary: 'A contact changed.', subject: 'contact', data: contact },
  'audience.contact.deleted': {
    summary: 'A contact was deleted and the person’s data erased.',
    subject: 'contact',
    data: object({ contactId: uuid('The contact that was erased.') }),
  },
  'audience.contact.imported': {
    summary: 'An import finished or failed; `import` has its status and counts.',
    subject: 'import',
    data: object({ import: Import }),
  },
  'audience.consent.granted': { summary: 'A contact subscribed to a topic.', subject: 'contact', data: consent },
  'audience.consent.revoked': { summary: 'A contact unsubscribed from a topic.', subject: 'contact', data: consent },
  'audience.preferences.changed': {
    summary: 'A person changed what they want to receive.',
    subject: 'contact',
    data: object({ contactId: uuid('The contact.'), preferences: Preferences }),
  },
  'audience.suppression.added': {
    summary: 'An address or number was suppressed.',
    subject: 'suppression',
    data: suppression,
  },
  'audience.suppression.lifted': {
    summary: 'A suppression was lifted.',
    subject: 'suppression',
    data: suppression,
  },
  'audience.topic.created': { summary: 'A topic was created.', subject: 'topic', data: topic },
  'audience.topic.updated': { summary: 'A topic changed.', subject: 'topic', data: topic },
  'audience.topic.archived': { summary: 'A topic was archived.', subject: 'topic', data: topic },
  'audience.topic.restored': { summary: 'A topic was restored.', subject: 'topic', data: topic },
  'audience.segment.created': { summary: 'A segment was created.', subject: 'segment', data: segment },
  'audience.segment.updated': { summary: 'A segment changed.', subject: 'segment', data: segment },
  'audience.segment.deleted': { summary: 'A segment was deleted.', subject: 'segment', data: segment },
});

declare module '#core/kernel/events/declare.js' {
  interface DeclaredEvents extends Readonly<typeof events> {}
}
