import { counted } from '#config/counted.js';
import { isRefusal } from '#core/kernel/errors/errors.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { defineOperation, type Operation } from '#core/kernel/operation.js';
import { list, object, uuid } from '#core/kernel/schema/schema.js';
import { parseAddress } from '#core/kernel/schema/email-address.js';
import type { PrepareContext } from '#core/kernel/context.js';
import { acceptErrors, acceptEvents } from '../messages/accept-codes.js';
import { acceptMails } from '../messages/accept.js';
import { requireAttachmentSize, type Attachment } from '../messages/attachments.js';
import { checkMessages, type GivenMessage } from '../messages/mails.js';
import { relayHeaderProblem } from '../messages/relay-headers.js';
import { renderInputs } from '../messages/render-input.js';
import { validateTopic } from '../messages/validate.js';
import { settings } from '../deployment/settings.js';
import type { SubmittedMail } from '../inbound/parse/parsed.js';
import send from '../operations/send.js';
import { headerProblem } from '../templates/header.js';
import type { Submission } from '../tables/message.js';
import { submissionInput, type SubmissionInput } from './fields.js';
import { addressingOf } from './recipients.js';

/** A message that a program submits. */
export interface Submitted {
  readonly mail: SubmittedMail;
  /** The recipients of the envelope, as `parseAddress` returns them. */
  readonly envelope: readonly string[];
  readonly client: Pick<Submission, 'user' | 'program' | 'address'>;
}

/** Of a message without a subject, which email.send requires. */
const noSubject = '(no subject)';

/**
 * The call that a submitted message becomes: email.send, for content that is parsed already and may have more
 * recipients. It uses the same checks and the same storing, so nothing is decided here.
 * @returns an operation for one message; its input has the fields that the message sets by headers of svc
 */
export const submissionOf = (submitted: Submitted): Operation<SubmissionInput> =>
  defineOperation({
    name: send.name,
    summary: send.summary,
    access: 'secret',
    impact: { billable: true },
    input: submissionInput,
    output: object({ messageIds: list(uuid(), 'The messages.') }),
    errors: acceptErrors,
    events: acceptEvents,
    example: { input: {}, output: { messageIds: [] } },

    prepareOnlyComputes: true,
    async prepare(fields, context) {
      const { fail, caller } = context;
      const { environment } = caller;
      const { attachments: parsed } = submitted.mail;
      const bytes = parsed.reduce((sum, { content }) => sum + content.length, 0);
      requireAttachmentSize(bytes, fail);
      const { messages, sender } = await messagesOf(submitted, fields, context);
      if (environment.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
      return checkMessages(context, environment, messages, sender);
    },

    async handle(_fields, context) {
      const { audit, prepared } = context;
      const accepted = await acceptMails(context, prepared);
      if (isRefusal(accepted)) return accepted;
      const { user, program, address } = submitted.client;
      const [first] = accepted;
      const isBlocked = accepted.every(({ message }) => message.status === 'suppressed');
      const what =
        accepted.length === 1
          ? `a message to ${counted(submitted.envelope.length, 'recipient')}`
          : counted(accepted.length, 'message');
      audit({
        ...(accepted.length === 1 && first ? { subject: { type: 'message', id: first.message.id } } : {}),
        summary: `${isBlocked ? 'Suppressed' : 'Queued'}: ${what}, by SMTP as “${user}” from ${program ?? 'a program'} (${address}).`,
        changes: [{ field: 'status', from: null, to: first?.message.status ?? null }],
      });
      return { messageIds: accepted.map(({ message }) => message.id) };
    },
  });

type Preparing = PrepareContext<'secret', 'sender_not_verified'>;

async function messagesOf(
  { mail, envelope, client }: Submitted,
  fields: SubmissionInput,
  context: Preparing,
): Promise<{ messages: GivenMessage[]; sender: Awaited<ReturnType<typeof renderInputs>>['sender'] }> {
  const { messages: addressed, shown } = addressingOf(mail, envelope, fields.topic !== undefined);
  const input = {
    ...fields,
    to: [],
    ...(mail.from && { from: fromAddress(mail.from.address) }),
    ...(mail.from?.name && { fromName: mail.from.name }),
    headers: allowedHeaders(mail.headers, context),
  };
  for (const each of addressed) validateTopic(input, each);
  const entity = fields.template === undefined ? mail.entity : null;
  const attachments = entity ? [entityFile(entity)] : mail.attachments.map(attachmentOf);
  const { contents, sender } = await contentsOf(mail, { ...input, to: addressed[0]?.to ?? [] }, context);
  const submission: Submission = { ...client, messageIdHeader: mail.messageId, shown, isEntity: entity !== null };
  const messages = addressed.map((each, index): GivenMessage => ({
    ...contents,
    addressed: each,
    input,
    attachments,
    submitted: {
      thread: mail.thread,
      // RFC 5322 3.6.4: a Message-ID names one message.
      submission: index === 0 ? submission : { ...submission, messageIdHeader: null },
    },
    indexInCall: undefined,
  }));
  return { messages, sender };
}

/** Other programs do not write Liquid: braces mean what they say, unless the message gives variables or a template. */
async function contentsOf(
  { subject, text, html }: SubmittedMail,
  input: SubmissionInput & { to: string[] },
  context: Preparing,
): Promise<{
  contents: Pick<GivenMessage, 'content' | 'template'>;
  sender: Awaited<ReturnType<typeof renderInputs>>['sender'];
}> {
  const content = { subject: subject ?? noSubject, text, html };
  if (input.template === undefined && input.variables === undefined)
    return { contents: { content, template: null }, sender: undefined };
  const texts =
    input.template === undefined
      ? { subject: content.subject, ...(text === null ? {} : { text }), ...(html === null ? {} : { html }) }
      : { ...(subject === null ? {} : { subject }) };
  const { environment } = context.caller;
  const rendered = await renderInputs(context, environment, [{ ...input, ...texts }], () => undefined);
  const [message] = rendered.messages;
  if (!message) throw new Error('The message was not rendered.');
  return { contents: message, sender: rendered.sender };
}

function fromAddress(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed.ok) throw invalidField('from', parsed.problem);
  return parsed.address;
}

/**
 * The headers that email.send would take: programs add others without their user's doing, so these are left out
 * instead of refused.
 */
function allowedHeaders(headers: SubmittedMail['headers'], { deployment }: Preparing): Record<string, string> {
  const { relayHeaders } = deployment.settingsOf(settings);
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => headerProblem(name, value) === null && relayHeaderProblem(name, relayHeaders) === null,
    ),
  );
}

const attachmentOf = ({ content, ...file }: SubmittedMail['attachments'][number]): Attachment => ({
  ...file,
  content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
});

/** Content that is sent as it was, as it is stored. */
const entityFile = (entity: Uint8Array<ArrayBuffer>): Attachment => ({
  filename: 'content.eml',
  contentType: 'message/rfc822',
  contentId: null,
  content: Buffer.from(entity.buffer, entity.byteOffset, entity.byteLength),
});
