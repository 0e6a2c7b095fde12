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
  url,
  uuid,
} from '#core/kernel/schema/schema.js';
import { channels } from './channels.js';
import { suppressionReasons } from './tables/suppression-reasons.js';

export const channel = oneOf(channels, 'The channel: email, or sms for text messages.');
export const suppressionReason = oneOf(
  suppressionReasons,
  'bounce and stop block every message; complaint and manual block all except system messages; unsubscribe blocks messages with a topic.',
);
export const topicKey = text('The key of a topic, such as news.', { minLength: 1, maxLength: 64 });

/** A property in replies; date-times are texts. */
export const propertyValue = either(text(), either(number(), boolean()));

export const Contact = named(
  'Contact',
  object(
    {
      id: uuid('The contact’s id.'),
      externalId: nullable(text('The contact’s id in your own product.')),
      email: nullable(email('The contact’s address.')),
      phone: nullable(phone('The contact’s number, E.164.')),
      firstName: nullable(text('The contact’s first name.')),
      lastName: nullable(text('The contact’s last name.')),
      locale: nullable(text('BCP 47 tag: the language of the preferences page and of templates.')),
      timeZone: nullable(text('The contact’s time zone, an IANA name.')),
      properties: map(propertyValue, 'What you know about the contact.'),
      createdAt: dateTime('When it was created.'),
      updatedAt: dateTime('When it last changed.'),
    },
    {
      description: 'A person you can send messages to.',
      columns: ['id', 'email', 'phone', 'firstName', 'lastName', 'externalId', 'createdAt'],
    },
  ),
);

const actor = object(
  {
    kind: oneOf(
      ['key', 'member', 'user', 'public', 'system'],
      'What recorded it; public is the person, through a preferences link or a subscribe form.',
    ),
    id: text('The id of the key, member or user.'),
    label: text('A readable name: the name of a key, or the address of a member.'),
  },
  { description: 'Who recorded it.' },
);

const consentState = oneOf(['granted', 'revoked'], 'granted: the person subscribed; revoked: they unsubscribed.');

export const ConsentRecord = named(
  'ConsentRecord',
  object(
    {
      id: uuid('The record’s id.'),
      contactId: uuid('The contact.'),
      topic: text('The key of the topic.'),
      channel,
      state: consentState,
      effective: boolean('Whether the record changed the consent. A grant older than the opt-out does not.'),
      source: text(
        'Where it was given, such as a form or a checkout; svc itself writes `preferences link`, `one-click unsubscribe`, and `subscribe form` with the address of the page.',
      ),
      wording: nullable(text('The wording that the person agreed to.')),
      ip: nullable(text('The IP address it was given from; erased with the contact.')),
      givenAt: dateTime('When the person gave it.'),
      recordedAt: dateTime('When it was recorded here.'),
      actor,
    },
    {
      description: 'A consent record. It never changes.',
      columns: [
        'id',
        'topic',
        'channel',
        'state',
        'effective',
        'source',
        'recordedAt',
        'actor',
        'givenAt',
        'contactId',
      ],
    },
  ),
);

/** The current consent of a contact to one topic. */
export const Consent = named(
  'Consent',
  object(
    {
      topic: text('The key of the topic.'),
      channel,
      state: consentState,
      since: dateTime('When the person gave it.'),
      source: text('Where the consent was given.'),
    },
    { description: 'The current consent of a contact to one topic.' },
  ),
);

export const Suppression = named(
  'Suppression',
  object(
    {
      id: uuid('The suppression’s id.'),
      channel,
      email: nullable(email('Null for sms, and after the person was erased.')),
      phone: nullable(phone('Null for email, and after the person was erased.')),
      reason: suppressionReason,
      note: nullable(text('Why, for your own team.')),
      liftable: boolean(
        'Whether audience.suppression.lift can lift it. A suppression that the person asked for can be lifted only by that person.',
      ),
      createdAt: dateTime('When it was added.'),
      liftedAt: nullable(dateTime('When it was lifted; null while it is in force.')),
    },
    {
      description: 'An address or number that must not be reached.',
      columns: ['id', 'channel', 'email', 'phone', 'reason', 'liftedAt', 'liftable', 'note', 'createdAt'],
    },
  ),
);

export const Topic = named(
  'Topic',
  object(
    {
      key: text('The topic’s key. It never changes.'),
      name: text('The name that people see.'),
      description: nullable(text('What subscribers receive.')),
      channels: list(channel, 'The channels on which people can subscribe to it.'),
      public: boolean('Whether it is shown on the preferences page.'),
      subscribeForm: nullable(
        object(
          {
            doubleOptIn: boolean('Whether people confirm the subscription by mail before it counts.'),
            redirectUrl: nullable(url('Where people are sent after they have subscribed; null for svc’s own page.')),
            url: url('The page. A form of your own can post to it too.'),
          },
          { description: 'The hosted page where people subscribe themselves; null if there is none.' },
        ),
      ),
      archivedAt: nullable(dateTime('When it was archived; null while it is in use.')),
      createdAt: dateTime('When it was created.'),
      updatedAt: dateTime('When it last changed.'),
    },
    {
      description: 'A consent topic that people can subscribe to.',
      columns: ['key', 'name', 'channels', 'public', 'archivedAt', 'description', 'createdAt'],
    },
  ),
);

export const SegmentDefinition = named(
  'SegmentDefinition',
  map(anything(), 'A tree of {all: […]}, {any: […]}, {not: …} and {field, op, value}.'),
);

export const Segment = named(
  'Segment',
  object(
    {
      id: uuid('The segment’s id.'),
      name: text('The name, unique in the environment.'),
      definition: SegmentDefinition,
      createdAt: dateTime('When it was created.'),
      updatedAt: dateTime('When it last changed.'),
    },
    { description: 'A saved, live definition of contacts.' },
  ),
);

export const Import = named(
  'Import',
  object(
    {
      id: uuid('The import’s id.'),
      status: oneOf(
        ['queued', 'running', 'done', 'failed'],
        'queued: not started; running: rows are being imported; done: every row was imported or rejected; failed: stopped by an error, see `processed` for how far it got.',
      ),
      dryRun: boolean('Whether it is a dry run: nothing is written, and the counts show what an import would do.'),
      total: count('Rows in the call.'),
      processed: count('Rows processed so far, including rejected ones.'),
      created: count('Contacts that were created.'),
      updated: count('Existing contacts that were updated.'),
      rejected: count('Rejected rows; audience.import.get lists them.'),
      createdAt: dateTime('When it was accepted.'),
      startedAt: nullable(dateTime('When the first row was processed.')),
      finishedAt: nullable(dateTime('When it finished or failed.')),
    },
    { description: 'The progress of an import.' },
  ),
);

export const RejectedRow = object({
  row: integer('Starts at 1; the header line and blank lines of a CSV are not counted.', { minimum: 1 }),
  code: text('The error code.'),
  message: text('What is wrong with the row. It names fields, never values.'),
});

const preferencesChannel = object(
  {
    topics: list(
      object({
        key: text('The topic’s key.'),
        name: text('The topic’s name.'),
        description: nullable(text('What subscribers receive.')),
        subscribed: boolean('Whether the person is subscribed.'),
      }),
      'The topics that the person can choose from.',
    ),
    unsubscribedAll: boolean(
      'Whether the person unsubscribed from everything, complained or sent STOP on this channel.',
    ),
    suppressionReason: nullable(suppressionReason),
  },
  { description: 'What the person receives on this channel.' },
);

/** Fields in the replies of both preferences.get and preferences.set. */
export const preferencesFields = {
  environmentId: uuid('The environment of the contact.'),
  projectName: text('Who sends.'),
  email: nullable(text('The person’s address: masked in replies, such as a•••@example.com, and complete in events.')),
  phone: nullable(text('The person’s number: masked in replies, such as +49•••89, and complete in events.')),
  channels: object(
    { email: preferencesChannel, sms: preferencesChannel },
    { description: 'What the person receives.' },
  ),
} as const;

export const Preferences = named(
  'Preferences',
  object(preferencesFields, { description: 'What the preferences page shows.' }),
);
