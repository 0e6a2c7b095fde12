import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, email, integer, list, nullable, object, oneOf, text, uuid } from '#core/kernel/schema/schema.js';
import { recipients as audienceRecipients } from '#plugins/audience/ports.js';
import { AttachmentFacts, Blocked } from '../resources.js';
import { acceptMail } from '../messages/accept.js';
import { decodeAttachments } from '../messages/attachments.js';
import {
  validateMailbox,
  validateRecipients,
  validateSendAfter,
  validateHeaders,
  validateTopic,
} from '../messages/validate.js';
import { renderInput } from '../messages/render-input.js';
import { checkEligibility } from '../messages/eligibility.js';
import { messageInput } from '../messages/input.js';
import { settings } from '../settings.js';
import { presentBlocked } from '../messages/present.js';
import { findSender, projectAddress, projectDomain } from '../senders/sender.js';
import { requireVerifiedSender } from '../senders/verified.js';

export default defineOperation({
  name: 'email.send',
  summary: 'Accept one message for delivery, and queue it durably before answering.',
  description:
    'Accepted is not delivered: check `status` and `blocked`. A message is `suppressed` when none of its recipients may get it; `suppressedRecipients` lists those who do not get it. Test environments send only to active members of the account.',
  keywords: 'mail e-mail write transactional notify notification attachment',
  access: 'secret',
  impact: { billable: true },
  followUp: { operation: 'email.message.get', input: { messageId: 'messageId' }, page: '/dev/mailbox' },
  bodyLimit: 16 * 1024 * 1024,
  input: messageInput,
  output: object({
    messageId: uuid('The message’s id, for email.message.get.'),
    status: oneOf(
      ['queued', 'suppressed'],
      'queued: accepted, and sent in the background; suppressed: stored and not sent, see `blocked`.',
    ),
    blocked: nullable(Blocked),
    suppressedRecipients: list(email(), 'Recipients who do not get it.'),
    attachments: list(AttachmentFacts, 'The attachments as they were read.'),
    to: list(email(), 'The recipients, without display names.'),
    from: email('The sender’s address.'),
    fromName: nullable(text('The sender’s name.')),
    subject: text('The subject, with its variables replaced.'),
    template: nullable(text('The template it was made from; null without one.')),
    templateVersion: nullable(integer('The version of the template.')),
    templateLocale: nullable(text('The language of the template.')),
    sendAfter: nullable(dateTime('Not sent before this time; null for at once.')),
  }),
  errors: [
    'missing_variables',
    'template_invalid',
    'sender_not_verified',
    'attachments_too_large',
    'account_closed',
    'topic_archived',
  ],
  events: ['email.queued', 'email.sent', 'email.failed', 'email.suppressed', 'email.bounced'],
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
  // Outside the transaction: rendering may take up to half a second.
  prepare: (input, { caller }) => renderInput(caller.environment.id, input),

  async handle(input, context) {
    const { caller, clock, fail, audit, prepared: content } = context;
    const { environment } = caller;
    if (environment.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
    const now = clock.now();
    const addressed = validateRecipients(input);
    const { to, cc, bcc, replyTo, names } = addressed;
    validateHeaders(input, context.deployment.settingsOf(settings).relayHeaders);
    validateTopic(input, addressed);
    const attachments = decodeAttachments(input, fail);
    const sendAfter = validateSendAfter(input.sendAfter, now);

    const topic = input.topic ?? null;
    // Reads that are asked for together share a round trip.
    const [own, sender, eligibility] = await Promise.all([
      projectDomain(context, environment),
      findSender(context, environment.id),
      checkEligibility(context, environment, { topic, isSystem: false }, [...to, ...cc, ...bcc]),
      topic === null ? undefined : context.use(audienceRecipients).mustBeSendable(environment.id, topic),
    ]);
    const given = input.from === undefined ? undefined : validateMailbox('from', input.from);
    const from = given?.address ?? sender?.fromAddress ?? projectAddress(own);
    const fromName = input.fromName ?? (given ? given.name : (sender?.fromName ?? null));
    await requireVerifiedSender(context, environment, from);
    const { message, suppressed } = await acceptMail(context, {
      environment,
      eligibility,
      isSystem: false,
      from: { address: from, name: fromName },
      replyTo: replyTo.length > 0 || !sender?.replyTo ? replyTo : [sender.replyTo],
      to,
      cc,
      bcc,
      names,
      content,
      attachments,
      headers: input.headers ?? {},
      tags: input.tags ?? {},
      template: null,
      topic,
      personId: null,
      sendAfter,
    });
    const blocked = message.status === 'suppressed';
    const count = to.length + cc.length + bcc.length;
    audit({
      subject: { type: 'message', id: message.id },
      summary: `${blocked ? 'Stored, not sent' : 'Queued'}: a message to ${count} ${count === 1 ? 'recipient' : 'recipients'}.`,
      changes: [{ field: 'status', from: null, to: message.status }],
    });
    return {
      messageId: message.id,
      status: blocked ? ('suppressed' as const) : ('queued' as const),
      blocked: presentBlocked(message.blockedReason),
      suppressedRecipients: [...suppressed],
      attachments: attachments.map(({ filename, contentType, content: data }) => ({
        filename,
        contentType,
        bytes: data.length,
      })),
      to,
      from,
      fromName: message.fromName,
      subject: content.subject,
      template: null,
      templateVersion: null,
      templateLocale: null,
      sendAfter: message.sendAfter?.toISOString() ?? null,
    };
  },
});
