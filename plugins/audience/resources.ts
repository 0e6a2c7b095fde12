import {
  anything,
  boolean,
  count,
  dateTime,
  email,
  either,
  integer,
  list,
  map,
  named,
  nullable,
  number,
  object,
  oneOf,
  phone,
  text,
  uuid,
} from '#core/kernel/schema/schema.js';
import { channels } from './channels.js';
import { suppressionReasons } from './suppressions/reasons.js';

export const channel = oneOf(channels, 'The channel: email, or sms for text messages.');
export const suppressionReason = oneOf(
  suppressionReasons,
  'What it blocks: bounce and stop every message; complaint and manual all but system messages; unsubscribe messages under a topic.',
);
export const topicKey = text('The key of a topic, such as news.', { minLength: 1, maxLength: 64 });

/** A property in replies; date-times are texts. */
export const propertyValue = either(text(), either(number(), boolean()));

export const Contact = named(
  'Contact',
  object({
    id: uuid(),
    externalId: nullable(text('The contact’s id in your own product.')),
    email: nullable(email()),
    phone: nullable(phone('E.164.')),
    firstName: nullable(text()),
    lastName: nullable(text()),
    locale: nullable(text('BCP 47 tag: the language of the preferences page and of templates.')),
    timeZone: nullable(text('IANA name.')),
    properties: map(propertyValue, 'What you know about the contact.'),
    createdAt: dateTime(),
    updatedAt: dateTime(),
  }),
);

const actor = object({
  kind: oneOf(['key', 'member', 'user', 'public', 'system']),
  id: text(),
  label: text('A readable name: that of a key, the address of a member.'),
});

export const consentState = oneOf(['granted', 'revoked'], 'granted: subscribed; revoked: unsubscribed.');

export const ConsentRecord = named(
  'ConsentRecord',
  object({
    id: uuid(),
    contactId: uuid(),
    topic: text(),
    channel,
    state: consentState,
    effective: boolean('Whether the record changed the consent. A grant older than an opt-out does not.'),
    source: text('Where it was given: a form, a checkout, a preferences link.'),
    wording: nullable(text('The words that the person agreed to.')),
    ip: nullable(text('The IP address it was given from; erased with the contact.')),
    givenAt: dateTime(),
    recordedAt: dateTime(),
    actor,
  }),
);

/** The current consent of a contact to one topic. */
export const Consent = named(
  'Consent',
  object({ topic: text(), channel, state: consentState, since: dateTime(), source: text() }),
);

export const Suppression = named(
  'Suppression',
  object({
    id: uuid(),
    channel,
    email: nullable(email('Null for sms, and after the person was erased.')),
    phone: nullable(phone('Null for email, and after the person was erased.')),
    reason: suppressionReason,
    note: nullable(text()),
    liftable: boolean(
      'Whether audience.suppression.lift can lift it. What the person asked for, only the person can lift.',
    ),
    createdAt: dateTime(),
    liftedAt: nullable(dateTime()),
  }),
);

export const Topic = named(
  'Topic',
  object({
    key: text(),
    name: text(),
    description: nullable(text()),
    channels: list(channel),
    public: boolean('Shown on the preferences page.'),
    archivedAt: nullable(dateTime()),
    createdAt: dateTime(),
    updatedAt: dateTime(),
  }),
);

export const SegmentDefinition = named(
  'SegmentDefinition',
  map(anything(), 'A tree of {all: […]}, {any: […]}, {not: …} and {field, op, value}.'),
);

export const Segment = named(
  'Segment',
  object({
    id: uuid(),
    name: text(),
    definition: SegmentDefinition,
    createdAt: dateTime(),
    updatedAt: dateTime(),
  }),
);

export const Import = named(
  'Import',
  object({
    id: uuid(),
    status: oneOf(
      ['queued', 'running', 'done', 'failed'],
      'queued: not begun; running: rows are being imported; done: every row was imported or rejected; failed: stopped by an error, see processed for how far it came.',
    ),
    dryRun: boolean('Nothing is written; the counts tell what an import would do.'),
    total: count('Rows in the call.'),
    processed: count('Rows processed so far, including rejected ones.'),
    created: count(),
    updated: count(),
    rejected: count('Rejected rows; audience.import.get lists them.'),
    createdAt: dateTime(),
    startedAt: nullable(dateTime()),
    finishedAt: nullable(dateTime()),
  }),
);

export const RejectedRow = object({
  row: integer('Counted from 1, without the header line and blank lines of a CSV.', { minimum: 1 }),
  code: text(),
  message: text(),
});

const preferencesChannel = object({
  topics: list(object({ key: text(), name: text(), description: nullable(text()), subscribed: boolean() })),
  unsubscribedAll: boolean('The person unsubscribed from everything, complained or sent STOP on this channel.'),
  suppressionReason: nullable(suppressionReason),
});

/** Fields in the replies of both preferences.get and preferences.set. */
export const preferencesFields = {
  environmentId: uuid(),
  projectName: text(),
  email: nullable(text('Masked in replies, such as a•••@example.com; whole in events.')),
  phone: nullable(text('Masked in replies, such as +49•••89; whole in events.')),
  channels: object({ email: preferencesChannel, sms: preferencesChannel }),
} as const;

export const Preferences = named('Preferences', object(preferencesFields));
