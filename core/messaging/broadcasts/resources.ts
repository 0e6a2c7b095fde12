import type { SystemTemplate } from '#core/messaging/system-template.js';
import {
  anything,
  boolean,
  count,
  dateTime,
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
import { variablesInput } from '../input.js';
import { readinessFields } from '../readiness.js';
import { broadcastStatuses, holdReasons } from '../broadcast-tables.js';

/* The fields of the replies and calls of all channels' broadcasts. */

export const broadcastStatus = oneOf(
  broadcastStatuses,
  'draft: can be changed; scheduled: sent at scheduledAt, or as soon as its audience is counted; sending: its messages are queued and leave; held: nothing leaves until it is resumed, see holdReason; sent: every message has ended; closed: cancelled.',
);

const counts = object(
  {
    recipients: count(
      'Messages made so far, one for each recipient; final when all are made. The others add up to it.',
    ),
    queued: count('Wait to be sent.'),
    held: count('Wait until the broadcast is resumed.'),
    sending: count(
      'A worker has them: they are about to leave, or are leaving. Of a broadcast that was paused or cancelled, those that were not leaving yet become held or cancelled within seconds.',
    ),
    sent: count('The recipient’s mail server, or the provider of texts, took them.'),
    failed: count(
      'Given up, for example because a variable is missing, or because the mail server refused the address.',
    ),
    suppressed: count('Not sent, because the recipient unsubscribed or was suppressed after the broadcast was sent.'),
    cancelled: count('Cancelled before they left.'),
    bounced: count('Came back after they had been taken.'),
  },
  { description: 'What became of its messages; null before sending.' },
);

const stillStopped = (count: string): string =>
  `Those that a worker had (\`counts.sending\`) are not among them: they follow within seconds, unless they were leaving already, and \`${count}\` shows all. It is 0 where workers had all that were left.`;

/** The reply to pausing a broadcast, on every channel. */
export const pausedMessages = count(
  `Messages that this call held: those that no worker had. ${stillStopped('counts.held')}`,
);

/** The reply to cancelling a broadcast, on every channel. */
export const cancelledMessages = count(
  `Messages that this call cancelled: those that no worker had. ${stillStopped('counts.cancelled')}`,
);

const madeAudience = object(
  {
    eligible: count('Contacts who got a message.'),
    neverAsked: count('Left out: nobody has recorded that they subscribed to the topic.'),
    optedOut: count('Left out: they had unsubscribed from the topic.'),
    suppressed: count('Left out: their address was suppressed.'),
    exact: boolean(
      'False while messages are still made, and where a cancellation ended that: these are the contacts so far.',
    ),
  },
  {
    description:
      'The contacts of the segment that have an address, as they were when the messages were made; null before sending, and for a broadcast that an earlier version sent. audience.contact.get shows what stops a message to one contact now.',
  },
);

/** The fields that broadcasts of every channel have in replies. */
export const sharedFields = {
  id: uuid('The broadcast’s id.'),
  name: text('The name, for your own team.'),
  template: text('The template it is made from.'),
  templateVersion: nullable(integer('The version of the template, fixed by sending; null before.')),
  topic: text('The consent topic: only contacts who granted it get the broadcast.'),
  segmentId: nullable(uuid('The segment that narrows the audience; null for everybody who granted the topic.')),
  variables: map(anything(), 'Values for the template. A contact’s properties win over them.'),
  scheduledAt: nullable(dateTime('When it is sent; null for as soon as it is sent by a call.')),
  status: broadcastStatus,
  holdReason: nullable(
    oneOf(
      holdReasons,
      'paused: by a call; account_closed: the account was closed meanwhile; bounces: more than 5 % came back, or were refused because their addresses do not work; past_due: an invoice is overdue; spending_cap: it would cross the spending cap; audience_too_large: found before its first message was made; not_ready: found then, or while it was being sent, see readiness.',
    ),
  ),
  counts: nullable(counts),
  audience: nullable(madeAudience),
  sentAt: nullable(dateTime('When sending began.')),
  completedAt: nullable(dateTime('When its last message ended.')),
  createdAt: dateTime('When it was created.'),
  updatedAt: dateTime('When it, or its status, last changed.'),
} as const;

/** The fields that people look for in a list of broadcasts of any channel. */
export const broadcastColumns = [
  'id',
  'name',
  'status',
  'scheduledAt',
  'counts',
  'holdReason',
  'topic',
  'template',
  'createdAt',
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
            optedOut: count(
              'Of noConsent: contacts who had granted the topic and have unsubscribed from it, or said no to it.',
            ),
            suppressed: count('Contacts whose address is suppressed.'),
            exact: boolean('False where counting took longer than 4 seconds and stopped: there are at least so many.'),
          },
          {
            description: 'The contacts of the segment that have an address, counted now; null once it was sent.',
          },
        ),
      ),
    },
    { description: 'Whether a broadcast can be sent, and to how many.' },
  ),
);

/** The fields that create and update take on every channel. */
export const broadcastInput = (channel: SystemTemplate['channel']) =>
  ({
    name: filledText('The name, for your own team.', 120),
    template: filledText('The name of a template.', 120),
    topic: filledText('The key of the consent topic, such as news.', 64),
    segmentId: uuid('Sends to the contacts of this segment only.'),
    variables: variablesInput('broadcast', 'Values for the template. A contact’s properties win over them.'),
    scheduledAt: dateTime(
      `When to send it, once ${channel}.broadcast.send was called. A time that has passed means now.`,
    ),
  }) as const;
