import { keptSince, presentKeptSince } from '#core/kernel/environment/retention.js';
import { tagPattern } from '#core/kernel/schema/patterns.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { dateTime, email, list, map, object, optional, optionalWith, text, uuid } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleMessage } from '../../examples.js';
import { EmailMessage, messageStatus } from '../../resources.js';
import { filterMessages, messagesTagged, messagesTo } from '#core/messaging/list.js';
import { unsentRecipients } from '#core/messaging/load.js';
import { messageRetentionOf, messagesKept } from '#core/messaging/message-retention.js';
import { waitingOf } from '#core/messaging/waiting.js';
import { emailDriver } from '../../messages/driver.js';
import { presentMessage } from '../../messages/present.js';
import { requireKnownOrigins } from '../../origin-filter.js';
import { messages } from '../../tables/message.js';

export default defineOperation({
  name: 'email.message.list',
  summary: 'Lists messages, newest first.',
  keywords: 'mails e-mails all sent today history outbox search',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayBeOld: 'on request',
  input: object({
    ...page,
    status: optional(messageStatus),
    to: optional(email('Messages to this address, as to, cc or bcc.')),
    template: optional(text('Messages created from this template.', { minLength: 1, maxLength: 120 })),
    broadcastId: optionalWith('audience', uuid('Messages of this broadcast.')),
    automationId: optionalWith('audience', uuid('Messages that this automation sent.')),
    tag: optional(text('`key=value`', { pattern: tagPattern })),
    since: optional(dateTime('Accepted at this time or later.')),
    until: optional(dateTime('Accepted before this time.')),
  }),
  output: object({
    messages: list(EmailMessage),
    refused: map(
      text('What the mail server answered last, to the first recipient that it refused.'),
      'Why messages of this page failed or are tried again, by message.',
    ),
    nextBefore,
    keptSince: keptSince(messagesKept),
  }),
  example: {
    input: { status: 'sent', limit: 20 },
    output: { messages: [exampleMessage], refused: {}, nextBefore: null, keptSince: null },
  },

  async handle(input, { db, caller, deployment, clock }) {
    const { before, limit, to, tag } = input;
    const { environment } = caller;
    await requireKnownOrigins({ db, deployment }, environment.id, input);
    const now = clock.now();
    const query = db.select(messages, 'message');
    const index = filterMessages(query, emailDriver, environment, input, now);
    const tagged = tag === undefined ? undefined : messagesTagged(db, 'email_tag', environment, tag, input, now);
    if (to !== undefined && tag !== undefined)
      query.andWhere(
        'EXISTS (SELECT 1 FROM email_tag t WHERE t.environment_id = :environment AND t.tag = :tag AND t.message_id = message.id)',
        { environment: idBytes(environment.id), tag: Buffer.from(tag) },
      );
    const along = messagesTo(db, emailDriver, environment, input, now) ?? tagged ?? index;
    const { rows, next } = await paged(query, 'message', along, { before, limit });
    const ids = rows.map(({ id }) => id);
    const { suppressed, refusals } = await unsentRecipients(db, emailDriver, ids);
    const waiting = await waitingOf(db, emailDriver, rows, environment.closedAt !== null);
    // A message that was sent to somebody is not shown as refused.
    const refused = rows.flatMap(({ id, status }) => {
      const response = status === 'failed' || status === 'queued' ? refusals.get(id) : undefined;
      return response === undefined ? [] : [[id, response] as const];
    });
    return {
      messages: rows.map((row) => presentMessage(row, suppressed.get(row.id) ?? [], waiting.get(row.id))),
      refused: Object.fromEntries(refused),
      nextBefore: next,
      keptSince: presentKeptSince(messageRetentionOf(deployment), now),
    };
  },
});
