import { keptSince, presentKeptSince } from '#core/kernel/environment/retention.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { readPhone } from '#core/kernel/schema/phone.js';
import { dateTime, list, object, optional, optionalWith, phone, uuid } from '#core/kernel/schema/schema.js';
import { filterMessages, messagesTo } from '#core/messaging/list.js';
import { messageRetentionOf, messagesKept } from '#core/messaging/message-retention.js';
import { smsDriver } from '../../messages/driver.js';
import { exampleMessage } from '../../messages/examples.js';
import { messageStatus, SmsMessage } from '../../messages/resources.js';
import { showMessages } from '../../messages/show.js';
import { requireKnownOrigins } from '../../origin-filter.js';
import { messages } from '../../tables/message.js';

export default defineOperation({
  name: 'sms.message.list',
  summary: 'Lists text messages, newest first.',
  keywords: 'sms all sent today history outbox search',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayBeOld: 'on request',
  input: object({
    ...page,
    status: optional(messageStatus),
    to: optional(phone('Messages to this number.')),
    broadcastId: optionalWith('audience', uuid('Messages of this broadcast.')),
    automationId: optionalWith('audience', uuid('Messages that this automation sent.')),
    since: optional(dateTime('Accepted at this time or later.')),
    until: optional(dateTime('Accepted before this time.')),
  }),
  output: object({ messages: list(SmsMessage), nextBefore, keptSince: keptSince(messagesKept) }),
  example: {
    input: { status: 'sent', limit: 20 },
    output: { messages: [exampleMessage], nextBefore: null, keptSince: null },
  },

  async handle(input, { db, caller, use, clock, deployment }) {
    const { environment } = caller;
    await requireKnownOrigins({ db, use }, environment.id, input);
    const query = db.select(messages, 'message');
    const to = input.to === undefined ? undefined : readPhone('to', input.to);
    const filter = { ...input, to };
    const index = filterMessages(query, smsDriver, environment, filter, clock.now());
    const along = messagesTo(db, smsDriver, environment, filter, clock.now()) ?? index;
    const { rows, next } = await paged(query, 'message', along, input);
    return {
      messages: await showMessages({ db, use, clock }, environment, rows),
      nextBefore: next,
      keptSince: presentKeptSince(messageRetentionOf(deployment), clock.now()),
    };
  },
});
