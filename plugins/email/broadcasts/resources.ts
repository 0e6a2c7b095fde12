import {
  anything,
  count,
  dateTime,
  email,
  filledText,
  integer,
  map,
  named,
  nullable,
  object,
  oneOf,
  text,
  uuid,
} from '#core/kernel/schema/schema.js';
import { readinessFields } from '#core/messaging/readiness.js';
import { broadcastStatuses, holdReasons } from '#core/messaging/broadcasts/tables.js';

export const broadcastStatus = oneOf(
  broadcastStatuses,
  'draft: can be changed; scheduled: sent at scheduledAt; sending: its messages are queued and leave; held: nothing leaves until it is resumed, see holdReason; sent: every message has ended; closed: cancelled.',
);

const counts = object(
  {
    recipients: count(
      'Messages made so far, one for each recipient; final when all are made. The others add up to it.',
    ),
    queued: count('Wait to be sent.'),
    held: count('Wait until the broadcast is resumed.'),
    sending: count('A worker has them: they are about to leave, or are leaving.'),
    sent: count('The recipient’s mail server took them.'),
    failed: count('Given up, for example because a variable is missing.'),
    suppressed: count('Not sent, because the recipient unsubscribed or was suppressed after the broadcast was sent.'),
    cancelled: count('Cancelled before they left.'),
    bounced: count('Came back after they had been taken.'),
  },
  { description: 'What became of its messages; null before sending.' },
);

export const Broadcast = named(
  'Broadcast',
  object(
    {
      id: uuid('The broadcast’s id.'),
      name: text('The name, for your own team.'),
      template: text('The template it is made from.'),
      templateVersion: nullable(integer('The version of the template, fixed by sending; null before.')),
      from: email('The sender’s address.'),
      topic: text('The consent topic: only contacts who granted it get the broadcast.'),
      subject: nullable(text('Replaces the template’s subject; null for the template’s own.')),
      segmentId: nullable(uuid('The segment that narrows the audience; null for everybody who granted the topic.')),
      variables: map(anything(), 'Values for the template. A contact’s properties win over them.'),
      scheduledAt: nullable(dateTime('When it is sent; null for as soon as email.broadcast.send is called.')),
      status: broadcastStatus,
      holdReason: nullable(
        oneOf(
          holdReasons,
          'paused: by email.broadcast.pause; account_closed: the account was closed meanwhile; bounces: more than 5 % came back; past_due: an invoice is overdue; audience_too_large, not_ready: found at its scheduled time, see readiness.',
        ),
      ),
      counts: nullable(counts),
      sentAt: nullable(dateTime('When sending began.')),
      completedAt: nullable(dateTime('When its last message ended.')),
      createdAt: dateTime('When it was created.'),
      updatedAt: dateTime('When it, or its status, last changed.'),
    },
    { description: 'A message to everybody who subscribed to a topic.' },
  ),
);

/** What keeps a broadcast from being sent. */
export const problemCodes = [
  'sender_not_verified',
  'legal_address_missing',
  'topic_unknown',
  'template_not_published',
  'variables_missing',
  'audience_empty',
] as const;

export const BroadcastReadiness = named(
  'BroadcastReadiness',
  object(
    {
      ...readinessFields,
      audience: nullable(
        object(
          {
            eligible: count('Contacts who would get it now.'),
            noConsent: count('Contacts with an address who have not granted the topic.'),
            suppressed: count('Contacts whose address is suppressed.'),
          },
          {
            description:
              'The contacts of the segment that have an address, counted now; null once it was sent, while the topic is unknown, and when counting takes longer than 5 seconds.',
          },
        ),
      ),
    },
    { description: 'Whether a broadcast can be sent, and to how many.' },
  ),
);

/** The fields that create and update take. */
export const broadcastFields = {
  name: filledText('The name, for your own team.', 120),
  template: filledText('The name of a template.', 120),
  from: email('The sender’s address, on the project’s own sending domain or a verified one.'),
  topic: filledText('The key of the consent topic, such as news.', 64),
  subject: filledText('Replaces the template’s subject. May contain variables.', 998),
  segmentId: uuid('Sends to the contacts of this segment only.'),
  variables: map(anything(), 'Values for the template. A contact’s properties win over them.'),
  scheduledAt: dateTime('When to send it, once email.broadcast.send was called. A time that has passed means now.'),
} as const;
