import type { SystemTemplate } from '../system-template.js';
import { keyPattern, namePattern } from '#core/kernel/schema/patterns.js';
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
  'draft: can be changed; scheduled: sent at scheduledAt, or as soon as its audience is counted; sending: its messages are being queued and sent; held: nothing is sent until it is resumed, see holdReason; sent: every message has reached a final status; closed: cancelled.',
);

const counts = object(
  {
    recipients: count(
      'Messages created so far, one for each recipient; the sum of the other counts without `refused`. Final once all are created.',
    ),
    queued: count('Waiting to be sent.'),
    held: count('Waiting until the broadcast is resumed.'),
    sending: count(
      'Claimed by a worker: about to be sent, or being sent. After a pause or cancellation, those that are not being sent yet become held or cancelled within seconds.',
    ),
    sent: count('Accepted by the recipient’s mail server or the SMS provider.'),
    failed: count('Given up, for example because a variable is missing or the mail server refused the address.'),
    suppressed: count('Not sent, because the recipient unsubscribed or was suppressed after the broadcast was sent.'),
    cancelled: count('Cancelled before they were sent.'),
    bounced: count('Bounced after they had been accepted.'),
    refused: count(
      'Of `failed`: bounced at submission, because the mail server said that the address does not work. `bounced` and `refused` together are the bounces.',
    ),
  },
  { description: 'Its messages by status; null before sending.' },
);

const stillStopped = (count: string): string =>
  `Messages claimed by a worker (\`counts.sending\`) are not included: they follow within seconds, unless they were already being sent, and \`${count}\` shows the total. It is 0 if workers had claimed all remaining messages.`;

/** The reply to pausing a broadcast, on every channel. */
export const pausedMessages = count(
  `Messages that this call held, not counting those claimed by a worker. ${stillStopped('counts.held')}`,
);

/** The reply to cancelling a broadcast, on every channel. */
export const cancelledMessages = count(
  `Messages that this call cancelled, not counting those claimed by a worker. ${stillStopped('counts.cancelled')}`,
);

const madeAudience = object(
  {
    eligible: count('Contacts that received a message.'),
    neverAsked: count('Left out: no consent to the topic is recorded.'),
    optedOut: count('Left out: they had unsubscribed from the topic.'),
    suppressed: count('Left out: their address was suppressed.'),
    exact: boolean(
      'False while messages are still being created, and if a cancellation stopped that; the counts then cover the contacts so far.',
    ),
  },
  {
    description:
      'The contacts of the segment that have an address, as they were when the messages were created; null before sending, and for broadcasts sent by an earlier version. audience.contact.get shows what blocks messages to one contact now.',
  },
);

/** The fields that broadcasts of every channel have in replies. */
export const sharedFields = {
  id: uuid('The broadcast’s id.'),
  name: text('The name, for your own team.'),
  template: text('The template.'),
  templateVersion: nullable(
    integer('The version of the template, fixed when the broadcast is sent; null before that.'),
  ),
  topic: text('The consent topic: only contacts that granted it receive the broadcast.'),
  segmentId: nullable(uuid('The segment that narrows the audience; null for everyone who granted the topic.')),
  variables: map(anything(), 'Values for the template. A contact’s properties take precedence.'),
  scheduledAt: nullable(dateTime('When it is scheduled; null to send it as soon as broadcast.send is called.')),
  status: broadcastStatus,
  holdReason: nullable(
    oneOf(
      holdReasons,
      'paused: by a call; account_closed: the account was closed; bounces: more than 5% bounced, or were refused because the addresses do not work; past_due: an invoice is overdue; spending_cap: it would exceed the spending cap; sending_limit: the mail server’s own limit for the sender was reached, resume it once that has passed; mail_refused: the mail server refused many messages in a row for reasons that are not about the mailboxes, these wait and are sent again when it is resumed; audience_too_large: detected before its first message was created; not_ready: detected then or while it was being sent, see readiness; restored: the operator of the server restored a backup and held what was waiting in it.',
    ),
  ),
  counts: nullable(counts),
  audience: nullable(madeAudience),
  sentAt: nullable(dateTime('When sending began.')),
  completedAt: nullable(dateTime('When its last message reached a final status.')),
  createdAt: dateTime('When it was created.'),
  updatedAt: dateTime('When it or its status last changed.'),
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
            eligible: count('Contacts that would receive it now.'),
            noConsent: count('Contacts with an address who have not granted the topic.'),
            optedOut: count('Part of noConsent: contacts that unsubscribed from the topic or declined it.'),
            suppressed: count('Contacts whose address is suppressed.'),
            exact: boolean(
              'False while it takes longer than a call to count them: the counts are lower bounds until a worker has counted them all.',
            ),
            countedAt: dateTime(
              'When they were counted. A large audience is counted in the background, and again while the broadcast waits.',
            ),
          },
          {
            description: 'The contacts of the segment that have an address; null once it was sent.',
          },
        ),
      ),
    },
    { description: 'Whether a broadcast can be sent, and to how many contacts.' },
  ),
);

/** The fields that create and update take on every channel. */
export const broadcastInput = (channel: SystemTemplate['channel']) =>
  ({
    name: filledText('The name, for your own team.', 120),
    // No template and no topic has another name, and the columns are as long as these.
    template: text('The name of a template.', { pattern: namePattern }),
    topic: text('The key of the consent topic, such as news.', { pattern: keyPattern }),
    segmentId: uuid('Limits the audience to the contacts of this segment.'),
    variables: variablesInput('broadcast', 'Values for the template. A contact’s properties take precedence.'),
    scheduledAt: dateTime(
      `When to send it after ${channel}.broadcast.send was called. A time more than a minute in the past is refused, also by ${channel}.broadcast.send; without a time, it is sent as soon as ${channel}.broadcast.send is called.`,
    ),
  }) as const;
