import { counted } from '#config/counted.js';
import { isRefusal } from '#core/kernel/errors/errors.js';
import { defineOperation } from '#core/kernel/operation.js';
import { list, nullable, object, oneOf, uuid } from '#core/kernel/schema/schema.js';
import { acceptMails } from '../../messages/accept.js';
import { batchMessageInput } from '../../messages/input.js';
import { checkMessages } from '../../messages/mails.js';
import { presentBlocked } from '../../messages/present.js';
import { renderInputs, type MessageContent } from '../../messages/render-input.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { Blocked } from '../../resources.js';

/** The most messages of one call. */
const maxMessages = 100;
/** The most characters of all rendered contents together. */
const maxCharacters = 32 * 1024 * 1024;

const sizeOf = ({ content: { text, html } }: MessageContent): number => (text?.length ?? 0) + (html?.length ?? 0);

export default defineOperation({
  name: 'email.batch.send',
  summary: `Accepts up to ${maxMessages} different messages in one call.`,
  description:
    'Either all are accepted or none are. Each message has the same fields as in email.send, without attachments. If one is refused, the error names it, and `details.index` counts from 0. A message is `suppressed` if none of its recipients may receive it; the others are still sent.',
  keywords: 'mail bulk many several multiple transactional notify',
  access: 'secret',
  impact: { billable: true },
  followUp: { operation: 'email.message.list', input: {}, page: '/dev/mailbox' },
  bodyLimit: 16 * 1024 * 1024,
  input: object({ messages: list(batchMessageInput, `1 to ${maxMessages} messages.`, { minItems: 1 }) }),
  output: object({
    messages: list(
      object(
        {
          messageId: uuid('The message’s id, for email.message.get.'),
          status: oneOf(
            ['queued', 'suppressed'],
            'queued: accepted, sent in the background; suppressed: stored but not sent, see `blocked`.',
          ),
          blocked: nullable(Blocked),
        },
        { columns: ['messageId', 'status', 'blocked.reason'] },
      ),
      'In the same order as the messages of the call.',
    ),
  }),
  errors: [
    'batch_too_large',
    'missing_variables',
    'template_invalid',
    'template_not_published',
    'sender_not_verified',
    'account_closed',
    'spending_cap_reached',
    'topic_archived',
  ],
  events: ['email.queued', 'email.suppressed', 'email.sent', 'email.failed', 'email.bounced'],
  example: {
    input: {
      messages: [
        { to: 'ada@example.com', subject: 'Your order A-1024', text: 'It is on its way.' },
        { to: 'grace@example.com', subject: 'Your order A-1025', text: 'It is on its way.' },
      ],
    },
    output: {
      messages: [
        { messageId: '01890a5d-ac96-774b-bcce-b302099a8300', status: 'queued', blocked: null },
        { messageId: '01890a5d-ac96-774b-bcce-b302099a8301', status: 'queued', blocked: null },
      ],
    },
  },

  prepareOnlyComputes: true,
  // Outside the transaction: rendering takes a while.
  async prepare({ messages }, context) {
    if (messages.length > maxMessages)
      throw context.fail.batch_too_large({ count: messages.length, things: 'messages', limit: maxMessages });
    const { messages: rendered, sender } = await renderInputs(
      context,
      context.caller.environment,
      messages,
      (index) => index,
    );
    if (rendered.reduce((sum, each) => sum + sizeOf(each), 0) > maxCharacters)
      throw invalidField('messages', `must have at most ${maxCharacters} characters of rendered content in total`);
    const given = rendered.flatMap((each, indexInCall) => {
      const input = messages[indexInCall];
      return input ? [{ ...each, input, attachments: [], indexInCall }] : [];
    });
    return { given, sender };
  },

  async handle(_input, context) {
    const { caller, fail, audit, prepared } = context;
    const { environment } = caller;
    if (environment.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
    // In the transaction: its reads share one connection, however many topics and senders the messages have.
    const mails = await checkMessages(context, environment, prepared.given, prepared.sender);
    const accepted = await acceptMails(context, mails);
    if (isRefusal(accepted)) return accepted;
    const queued = accepted.filter(({ message }) => message.status === 'queued').length;
    const stored = accepted.length - queued;
    audit({
      summary: `Queued ${counted(queued, 'message')}${stored > 0 ? `, and stored ${stored} as suppressed` : ''}.`,
      changes: [
        { field: 'queued', from: 0, to: queued },
        ...(stored > 0 ? [{ field: 'suppressed', from: 0, to: stored }] : []),
      ],
    });
    return {
      messages: accepted.map(({ message }) => ({
        messageId: message.id,
        status: message.status === 'queued' ? ('queued' as const) : ('suppressed' as const),
        blocked: presentBlocked(message),
      })),
    };
  },
});
