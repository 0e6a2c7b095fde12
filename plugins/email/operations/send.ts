import { counted } from '#config/counted.js';
import { isRefusal } from '#core/kernel/errors/errors.js';
import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, email, integer, list, nullable, object, oneOf, text, uuid } from '#core/kernel/schema/schema.js';
import { acceptErrors, acceptEvents } from '../messages/accept-codes.js';
import { acceptMails } from '../messages/accept.js';
import { decodeAttachments } from '../messages/attachments.js';
import { messageInput } from '../messages/input.js';
import { checkMessages } from '../messages/mails.js';
import { presentBlocked } from '../messages/present.js';
import { renderInputs } from '../messages/render-input.js';
import { AttachmentFacts, Blocked } from '../resources.js';

export default defineOperation({
  name: 'email.send',
  summary:
    'Accepts one message for delivery, with inline content or a published template, and queues it durably before responding.',
  description:
    '`status` and `blocked` show what happens next: accepted does not mean delivered. If none of the recipients may receive the message, it is stored as `suppressed`; `suppressedRecipients` lists everyone who does not receive it. A template is rendered in the recipient’s language. Test environments send only to active members of the account.',
  keywords: 'mail e-mail write customer user person transactional notify notification attachment',
  access: 'secret',
  impact: { billable: true },
  followUp: { operation: 'email.message.get', input: { messageId: 'messageId' }, page: '/dev/mailbox' },
  bodyLimit: 16 * 1024 * 1024,
  input: messageInput,
  output: object({
    messageId: uuid('The message’s id, for email.message.get.'),
    status: oneOf(
      ['queued', 'suppressed'],
      'queued: accepted, sent in the background; suppressed: stored but not sent, see `blocked`.',
    ),
    blocked: nullable(Blocked),
    suppressedRecipients: list(email(), 'Recipients who do not receive it.'),
    attachments: list(AttachmentFacts, 'The attachments as they were read.'),
    to: list(email(), 'The recipients, without display names.'),
    from: email('The sender’s address.'),
    fromName: nullable(text('The sender’s name.')),
    subject: text('The subject, with its variables replaced.'),
    template: nullable(text('The template it was created from; null if none.')),
    templateVersion: nullable(integer('The version of the template.')),
    templateLocale: nullable(text('The language of the template.')),
    sendAfter: nullable(dateTime('Not sent before this time; null to send immediately.')),
  }),
  errors: acceptErrors,
  events: acceptEvents,
  example: {
    input: {
      to: 'ada@example.com',
      subject: 'Your order {{ number }}',
      text: 'It is on its way.',
      variables: { number: 'A-1024' },
    },
    output: {
      messageId: '01890a5d-ac96-774b-bcce-b302099a8300',
      status: 'queued',
      blocked: null,
      suppressedRecipients: [],
      attachments: [],
      to: ['ada@example.com'],
      from: 'hello@shop.mail.example.com',
      fromName: null,
      subject: 'Your order A-1024',
      template: null,
      templateVersion: null,
      templateLocale: null,
      sendAfter: null,
    },
  },

  prepareOnlyComputes: true,
  // Outside the transaction: rendering may take up to half a second, and concurrent calls share reads.
  async prepare(input, context) {
    const { caller, fail } = context;
    const { environment } = caller;
    const { messages, sender } = await renderInputs(context, environment, [input], () => undefined);
    const [rendered] = messages;
    if (!rendered) throw new Error('The message was not rendered.');
    if (environment.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
    const attachments = decodeAttachments(input, fail);
    const given = [{ ...rendered, input, attachments, indexInCall: undefined }];
    return { mails: await checkMessages(context, environment, given, sender), rendered, attachments };
  },

  async handle(_input, context) {
    const { audit, prepared } = context;
    const { mails, rendered, attachments } = prepared;
    const stored = await acceptMails(context, mails);
    if (isRefusal(stored)) return stored;
    const [accepted] = stored;
    if (!accepted) throw new Error('The message was not stored.');
    const { message, suppressed } = accepted;
    const { toAddresses: to, ccAddresses: cc, bccAddresses: bcc } = message;
    const blocked = message.status === 'suppressed';
    const count = to.length + cc.length + bcc.length;
    audit({
      subject: { type: 'message', id: message.id },
      summary: `${blocked ? 'Suppressed' : 'Queued'}: a message to ${counted(count, 'recipient')}.`,
      changes: [{ field: 'status', from: null, to: message.status }],
    });
    return {
      messageId: message.id,
      status: blocked ? ('suppressed' as const) : ('queued' as const),
      blocked: presentBlocked(message),
      suppressedRecipients: [...suppressed],
      attachments: attachments.map(({ filename, contentType, content: data }) => ({
        filename,
        contentType,
        bytes: data.length,
      })),
      to,
      from: message.fromAddress,
      fromName: message.fromName,
      subject: rendered.content.subject,
      template: message.template,
      templateVersion: message.templateVersion,
      templateLocale: message.templateLocale,
      sendAfter: message.sendAfter?.toISOString() ?? null,
    };
  },
});
