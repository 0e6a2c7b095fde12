import { defineOperation } from '#core/kernel/operation.js';
import {
  boolean,
  dateTime,
  email,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  uuid,
} from '#core/kernel/schema/schema.js';
import { exampleMessage } from '../../examples.js';
import { AttachmentFacts, EmailMessage } from '../../resources.js';
import { loadMessages, suppressedOf } from '#core/messaging/load.js';
import { findMessage } from '#core/messaging/message-retention.js';
import { waitingOf } from '#core/messaging/waiting.js';
import { attemptStatuses, recipientStatuses } from '#core/messaging/tables.js';
import { emailDriver } from '../../messages/driver.js';
import { presentMessage, presentReports } from '../../messages/present.js';
import { timelineOf, waitingSince } from '../../messages/timeline.js';
import { attachments } from '../../tables/attachment.js';
import { attempts } from '../../tables/attempt.js';
import { shownContent } from '../../broadcasts/content.js';
import { bounceKinds, messages } from '../../tables/message.js';
import { reports } from '../../tables/report.js';

export default defineOperation({
  name: 'email.message.get',
  summary: 'Returns a message with its content, its recipients, its delivery attempts and its timeline.',
  keywords:
    'mail e-mail status did it arrive arrived delivered delivery received bounce bounced spam complaint failed why outcome',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  progress: {
    status: 'message.status',
    succeeded: ['sent'],
    failed: ['failed', 'suppressed', 'cancelled', 'bounced'],
  },
  input: object({ messageId: uuid('The message to show.') }),
  output: object({
    message: EmailMessage,
    submission: nullable(
      object(
        {
          user: text('The user name that it gave.'),
          program: nullable(text('The name that it gave with EHLO.')),
          address: text('Its IP address.'),
        },
        { description: 'The program that submitted it by SMTP; null for all other messages.' },
      ),
    ),
    content: nullable(
      object(
        {
          text: nullable(text('The plain text; null if it has none.')),
          html: nullable(text('The HTML; null if it has none.')),
          renderedNow: boolean(
            'False if this is exactly what was sent. True for a broadcast’s message, whose content is not stored per recipient: it is rendered for this call from the contact’s current data, so it may differ from what was sent.',
          ),
        },
        {
          description:
            'Null for system mail, and after a recipient was erased or the content was deleted (message.contentRemovedAt).',
        },
      ),
    ),
    attachments: list(
      AttachmentFacts,
      'Without their content. They are deleted together with the content of the message.',
    ),
    recipients: list(
      object(
        {
          email: email('The address.'),
          status: oneOf(
            recipientStatuses,
            'queued: not attempted yet, or waiting for another attempt; sent: the mail server accepted it; failed: given up, see response; suppressed: must not be reached; cancelled: stopped before it was sent; bounced: refused after it had been accepted.',
          ),
          smtpCode: nullable(integer('The mail server’s last reply code.')),
          response: nullable(text('The mail server’s last reply.')),
          endedAt: nullable(dateTime('When delivery ended for this recipient; null until then.')),
          deliveredAt: nullable(
            dateTime('When the provider reported it as delivered; null if there is no such report.'),
          ),
          bouncedAt: nullable(dateTime('When it bounced; null if it did not.')),
          bounce: nullable(
            object(
              {
                kind: oneOf(bounceKinds, 'hard: the address does not work; soft: it may work later.'),
                code: nullable(text('The status code of the report.')),
                detail: text('The text of the report.'),
              },
              { description: 'Why it bounced; null if it did not.' },
            ),
          ),
          complainedAt: nullable(dateTime('When the recipient reported it as spam; null if they did not.')),
        },
        {
          columns: [
            'email',
            'status',
            'smtpCode',
            'response',
            'bounce.kind',
            'bounce.detail',
            'endedAt',
            'deliveredAt',
            'complainedAt',
          ],
        },
      ),
      'The status of each recipient, except erased people.',
    ),
    attempts: list(
      object({
        at: dateTime('When it started.'),
        status: oneOf(
          attemptStatuses,
          'sent: accepted for every recipient; temporary: refused for now and retried; permanent: refused permanently; mixed: recipients differ, see `recipients`.',
        ),
        smtpCode: nullable(integer('The mail server’s reply code; null if it did not reply.')),
        response: text('The mail server’s reply.'),
        durationMs: integer('How long it took, in milliseconds.'),
      }),
      'Every attempt to submit it to the mail server.',
    ),
    timeline: list(
      object({ at: dateTime('When it happened.'), status: text('The new status, or what was reported.') }),
      'Status changes and later reports (delivered, bounced, complained), oldest first.',
    ),
  }),
  example: {
    input: { messageId: exampleMessage.messageId },
    output: {
      message: exampleMessage,
      submission: null,
      content: { text: 'It is on its way.', html: null, renderedNow: false },
      attachments: [],
      recipients: [
        {
          email: 'ada@example.com',
          status: 'sent',
          smtpCode: 250,
          response: '250 OK',
          endedAt: '2026-11-20T09:30:01.000Z',
          deliveredAt: null,
          bouncedAt: null,
          bounce: null,
          complainedAt: null,
        },
      ],
      attempts: [{ at: '2026-11-20T09:30:01.000Z', status: 'sent', smtpCode: 250, response: '250 OK', durationMs: 84 }],
      timeline: [
        { at: '2026-11-20T09:30:00.000Z', status: 'queued' },
        { at: '2026-11-20T09:30:01.000Z', status: 'sent' },
      ],
    },
  },

  async handle({ messageId }, context) {
    const { db, caller } = context;
    const row = await findMessage(context, messages, messageId);
    const { id, contentId, submission } = row;
    // Concurrent reads share a round trip.
    const [content, files, loaded, tries, waits, reported] = await Promise.all([
      shownContent(context, row),
      contentId === null ? [] : db.find(attachments, { contentId }),
      loadMessages(db, emailDriver, [id]),
      db.find(attempts, { messageId: id }),
      waitingOf(db, emailDriver, [row], caller.environment.closedAt !== null),
      db.find(reports, { messageId: id }),
    ]);
    const people = (loaded.get(id)?.recipients ?? []).filter(({ address }) => address !== '');
    tries.sort((a, b) => a.attempt - b.attempt);
    const message = presentMessage(row, suppressedOf(people), waits.get(id));
    const waiting = await waitingSince(db, row, message.status, caller.environment.closedAt);
    return {
      message,
      submission: submission && { user: submission.user, program: submission.program, address: submission.address },
      content,
      attachments: files
        .sort((a, b) => a.position - b.position)
        .map(({ filename, contentType, bytes }) => ({ filename, contentType, bytes })),
      recipients: people.map(({ address, position, status, code, response, endedAt }) => ({
        email: address,
        status,
        smtpCode: code,
        response,
        endedAt: endedAt?.toISOString() ?? null,
        ...presentReports(reported.filter((report) => report.position === position)),
      })),
      attempts: tries.map(({ at, status, code, response, durationMs }) => ({
        at: at.toISOString(),
        status,
        smtpCode: code,
        response,
        durationMs,
      })),
      timeline: timelineOf(row, tries, waiting, reported),
    };
  },
});
