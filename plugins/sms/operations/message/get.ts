import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, integer, list, nullable, object, oneOf, text, uuid } from '#core/kernel/schema/schema.js';
import { findMessage } from '#core/messaging/message-retention.js';
import { exampleMessage } from '../../messages/examples.js';
import { SmsMessage } from '../../messages/resources.js';
import { showMessages } from '../../messages/show.js';
import { attempts } from '../../tables/attempt.js';
import { messages } from '../../tables/message.js';

export default defineOperation({
  name: 'sms.message.get',
  summary: 'Returns a text message with its attempts and carrier reports.',
  keywords: 'sms did it arrive arrived delivered delivery status undelivered failed why error code',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  progress: { status: 'message.status', succeeded: ['sent'], failed: ['failed', 'suppressed', 'cancelled'] },
  input: object({ messageId: uuid('The message to show.') }),
  output: object({
    message: SmsMessage,
    attempts: list(
      object({
        at: dateTime('When it started.'),
        status: oneOf(
          ['sent', 'temporary', 'permanent'],
          'sent: the provider accepted it; temporary: refused for now, or with an unknown outcome, and retried (docs/texts.md); permanent: refused permanently.',
        ),
        providerCode: nullable(integer('The provider’s error code; null if there is none.')),
        response: text('The provider’s response, or why no request was made.'),
        durationMs: integer('How long it took, in milliseconds.'),
      }),
      'Every attempt to submit it to the provider.',
    ),
  }),
  example: {
    input: { messageId: exampleMessage.messageId },
    output: {
      message: exampleMessage,
      attempts: [
        { at: '2026-11-20T09:30:01.000Z', status: 'sent', providerCode: null, response: 'queued', durationMs: 121 },
      ],
    },
  },

  async handle({ messageId }, context) {
    const { db, caller, use, clock } = context;
    const row = await findMessage(context, messages, messageId);
    // Concurrent reads share a round trip.
    const [tries, [message]] = await Promise.all([
      db.find(attempts, { messageId: row.id }),
      showMessages({ db, use, clock }, caller.environment, [row]),
    ]);
    if (!message) throw new Error(`The message ${row.id} was not shown.`);
    return {
      message,
      attempts: tries
        .sort((a, b) => a.attempt - b.attempt)
        .map(({ at, status, code, response, durationMs }) => ({
          at: at.toISOString(),
          // A text has one recipient, so that attempts are never mixed.
          status: status === 'mixed' ? 'temporary' : status,
          providerCode: code,
          response,
          durationMs,
        })),
    };
  },
});
