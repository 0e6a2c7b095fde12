import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, email, integer, list, nullable, object, oneOf, text, uuid } from '#core/kernel/schema/schema.js';
import { newId } from '#core/runtime/id.js';
import { recipients as audienceRecipients } from '#plugins/audience/ports.js';
import { Blocked } from '../resources.js';
import { decodedAttachments } from '../messages/attachments.js';
import { checkedAddress, checkedRecipients, checkedSendAfter, checkHeaders, checkTopic } from '../messages/validate.js';
import { renderedContent } from '../messages/content.js';
import { messageInput } from '../messages/input.js';
import { presentMessage } from '../messages/present.js';
import { reachable } from '../messages/eligibility.js';
import { storeMessage } from '../messages/store.js';
import { findSender, mustBeVerified, ownAddress, ownDomain } from '../senders/sender.js';
import type { MessageRow } from '../tables/message.js';

export default defineOperation({
  name: 'email.send',
  summary: 'Accept one message for delivery, and queue it durably before answering.',
  description:
    'Accepted is not delivered: check `status` and `blocked`. A message is `suppressed` when none of its recipients may be reached; those who may not are listed in `suppressedRecipients`. Test keys reach the account’s own active members alone.',
  access: 'secret',
  impact: { billable: true },
  bodyLimit: 16 * 1024 * 1024,
  input: messageInput,
  output: object({
    messageId: uuid(),
    status: oneOf(['queued', 'suppressed']),
    blocked: nullable(Blocked),
    suppressedRecipients: list(email()),
    attachments: list(object({ filename: text(), contentType: text(), bytes: integer() })),
    to: list(email()),
    from: email(),
    fromName: nullable(text()),
    subject: text(),
    template: nullable(text()),
    templateVersion: nullable(integer()),
    templateLocale: nullable(text()),
    sendAfter: nullable(dateTime()),
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

  async handle(input, context) {
    const { caller, clock, fail, emit, audit } = context;
    const { environment } = caller;
    if (environment.closedAt) throw fail.account_closed();
    const now = clock.now();
    const addressed = checkedRecipients(input);
    const { to, cc, bcc, replyTo } = addressed;
    checkHeaders(input);
    checkTopic(input, addressed);
    const content = renderedContent(input);
    const attachments = decodedAttachments(input, fail);
    const sendAfter = checkedSendAfter(input.sendAfter, now);

    const topic = input.topic ?? null;
    // Reads asked for together share a round trip.
    const [own, sender, recipients] = await Promise.all([
      ownDomain(context, environment),
      findSender(context, environment.id),
      reachable(context, environment, topic, [...to, ...cc, ...bcc]),
      topic === null ? undefined : context.use(audienceRecipients).mustBeSendable(environment.id, topic),
    ]);
    const from =
      input.from === undefined ? (sender?.fromAddress ?? ownAddress(own)) : checkedAddress('from', input.from);
    mustBeVerified(from, own, fail);
    const left = recipients.filter(({ blocked: reason }) => reason !== null);
    const suppressed = left.map(({ address }) => address);
    const blocked = left.length === recipients.length;
    const contactId = recipients.length === 1 ? (recipients[0]?.contactId ?? null) : null;

    const message: MessageRow = {
      id: newId(),
      environmentId: environment.id,
      status: blocked ? 'suppressed' : 'queued',
      isSystem: false,
      fromAddress: from,
      fromName: input.fromName ?? (input.from === undefined ? (sender?.fromName ?? null) : null),
      replyTo: replyTo.length > 0 || !sender?.replyTo ? replyTo : [sender.replyTo],
      toAddresses: to,
      ccAddresses: cc,
      bccAddresses: bcc,
      subject: content.subject,
      template: null,
      headers: input.headers ?? {},
      tags: input.tags ?? {},
      blockedReason: blocked ? (left[0]?.blocked ?? null) : null,
      personId: null,
      topic,
      contactId,
      sendAfter,
      sentAt: null,
      endedAt: blocked ? now : null,
      createdAt: now,
    };
    await storeMessage(context, {
      message,
      environment,
      lane: 'transactional',
      content: { text: content.text, html: content.html, sealed: null },
      attachments,
      recipients: recipients.map(({ address, blocked: reason }) => ({ address, allowed: reason === null })),
    });
    const presented = presentMessage(message, suppressed);
    audit({
      subject: { type: 'message', id: message.id },
      summary: `${blocked ? 'Stored, not sent' : 'Queued'}: a message to ${recipients.length} ${recipients.length === 1 ? 'recipient' : 'recipients'}.`,
    });
    emit(blocked ? 'email.suppressed' : 'email.queued', {
      subjectId: message.id,
      data: { message: presented },
      ...(contactId === null ? {} : { personId: contactId }),
    });
    return {
      messageId: message.id,
      status: blocked ? ('suppressed' as const) : ('queued' as const),
      blocked: presented.blocked,
      suppressedRecipients: suppressed,
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
      sendAfter: presented.sendAfter,
    };
  },
});
