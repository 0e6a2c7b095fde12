import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, email, integer, list, nullable, object, oneOf, text, uuid } from '#core/kernel/schema/schema.js';
import { exampleMessage } from '../../examples.js';
import { EmailMessage } from '../../resources.js';
import { findMessage } from '../../messages/find.js';
import { presentMessage } from '../../messages/present.js';
import { timelineOf } from '../../messages/timeline.js';
import { attachments } from '../../tables/attachment.js';
import { attempts } from '../../tables/attempt.js';
import { contents } from '../../tables/content.js';
import { recipients } from '../../tables/recipient.js';

export default defineOperation({
  name: 'email.message.get',
  summary: 'Show one message with its content, its recipients, its delivery attempts and its timeline.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ messageId: uuid('The message to show.') }),
  output: object({
    message: EmailMessage,
    content: nullable(
      object(
        { text: nullable(text()), html: nullable(text()) },
        {
          description: 'Null for system mail, and once a person it went to was erased.',
        },
      ),
    ),
    attachments: list(object({ filename: text(), contentType: text(), bytes: integer() })),
    recipients: list(
      object({
        email: email(),
        status: oneOf(['queued', 'sent', 'failed', 'suppressed', 'cancelled']),
        smtpCode: nullable(integer()),
        response: nullable(text()),
        endedAt: nullable(dateTime()),
      }),
      'How it ended for each recipient; a person who was erased is no longer among them.',
    ),
    attempts: list(
      object({
        at: dateTime(),
        status: oneOf(['sent', 'temporary', 'permanent', 'mixed']),
        smtpCode: nullable(integer()),
        response: text('What the mail server answered.'),
        durationMs: integer(),
      }),
      'Every hand-over to the mail server.',
    ),
    timeline: list(object({ at: dateTime(), status: text() })),
  }),
  example: {
    input: { messageId: exampleMessage.messageId },
    output: {
      message: exampleMessage,
      content: { text: 'It is on its way.', html: null },
      attachments: [],
      recipients: [
        {
          email: 'ada@example.com',
          status: 'sent',
          smtpCode: 250,
          response: '250 OK',
          endedAt: '2026-11-20T09:30:01.000Z',
        },
      ],
      attempts: [{ at: '2026-11-20T09:30:01.000Z', status: 'sent', smtpCode: 250, response: '250 OK', durationMs: 84 }],
      timeline: [
        { at: '2026-11-20T09:30:00.000Z', status: 'queued' },
        { at: '2026-11-20T09:30:01.000Z', status: 'sent' },
      ],
    },
  },

  async handle({ messageId }, { db, caller, fail }) {
    const row = await findMessage(db, caller, messageId, fail);
    const content = row.isSystem ? null : await db.findOne(contents, { messageId });
    const people = (await db.find(recipients, { messageId }))
      .filter(({ address }) => address !== '')
      .sort((a, b) => a.position - b.position);
    const files = (await db.find(attachments, { messageId })).sort((a, b) => a.position - b.position);
    const tries = (await db.find(attempts, { messageId })).sort((a, b) => a.attempt - b.attempt);
    return {
      message: presentMessage(
        row,
        people.filter(({ status }) => status === 'suppressed').map(({ address }) => address),
      ),
      content: content && { text: content.textBody, html: content.htmlBody },
      attachments: files.map(({ filename, contentType, bytes }) => ({ filename, contentType, bytes })),
      recipients: people.map(({ address, status, smtpCode, response, endedAt }) => ({
        email: address,
        status,
        smtpCode,
        response,
        endedAt: endedAt?.toISOString() ?? null,
      })),
      attempts: tries.map(({ at, status, smtpCode, response, durationMs }) => ({
        at: at.toISOString(),
        status,
        smtpCode,
        response,
        durationMs,
      })),
      timeline: timelineOf(row, tries),
    };
  },
});
