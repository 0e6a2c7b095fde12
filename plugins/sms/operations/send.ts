import { counted as inWords } from '#config/counted.js';
import { perEnvironment } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { readPhone } from '#core/kernel/schema/phone.js';
import { integer, nullable, object, oneOf, phone, text, uuid } from '#core/kernel/schema/schema.js';
import { validateSendAfter, validateTags } from '#core/messaging/input.js';
import { newId } from '#core/runtime/id.js';
import { recipients } from '#plugins/audience/ports.js';
import { metering } from '#plugins/billing/ports.js';
import { acceptText } from '../messages/accept.js';
import { bodyOrRefuse } from '../messages/content.js';
import { requireAllowed } from '../messages/destination.js';
import { checkNumbers } from '../messages/eligibility.js';
import { exampleMessage } from '../messages/examples.js';
import { contentSources, sendFields } from '../messages/input.js';
import { presentBlocked } from '../messages/present.js';
import { renderInput } from '../messages/render-input.js';
import { Blocked, encoding } from '../messages/resources.js';
import { usageOf } from '../messages/metering.js';
import { countSegments, requireShort } from '../segments.js';
import { loadSettings } from '../settings/load.js';

export default defineOperation({
  name: 'sms.send',
  summary: 'Accepts one text message and queues it durably before responding.',
  description:
    'Accepted is not delivered: check `status` and `blocked`. A message that must not be sent is stored as `suppressed`. In a live environment, every message is suppressed with registration_required until sms.registration.submit has been accepted. Calls over the limit are refused, not queued. One character that GSM-7 does not have makes the whole message UCS-2, with 70 instead of 160 characters per segment; sms.estimate lists these characters. Test environments have numbers that simulate an outcome: see docs/texts.md.',
  keywords: 'text message phone mobile notify notification transactional',
  access: 'secret',
  impact: { billable: true },
  followUp: { operation: 'sms.message.get', input: { messageId: 'messageId' }, page: '/dev/phone' },
  limits: [
    perEnvironment({
      name: 'sms.send second',
      max: 10,
      windowSeconds: 1,
      description: '10 messages per second per environment',
      acceptedOnly: true,
    }),
    perEnvironment({
      name: 'sms.send hour',
      max: 500,
      windowSeconds: 3_600,
      description: '500 messages per hour per environment',
      acceptedOnly: true,
    }),
  ],
  input: object(sendFields, { exactlyOneOf: contentSources }),
  output: object({
    messageId: uuid('The message’s id, for sms.message.get.'),
    status: oneOf(
      ['queued', 'suppressed'],
      'queued: accepted, sent in the background; suppressed: stored but not sent, see `blocked`.',
    ),
    blocked: nullable(Blocked),
    to: phone('The recipient, in E.164.'),
    from: nullable(text('The number it is sent from; null if there is none.')),
    segments: integer('The number of segments.'),
    encoding,
  }),
  errors: [
    'sms_too_long',
    'missing_variables',
    'template_invalid',
    'template_not_published',
    'destination_not_allowed',
    'topic_archived',
    'spending_cap_reached',
    'account_closed',
  ],
  events: ['sms.queued', 'sms.sent', 'sms.failed', 'sms.suppressed'],
  example: {
    input: { to: '+491713920000', body: 'Your order {{ number }} is on its way.', variables: { number: 'A-1024' } },
    output: {
      messageId: exampleMessage.messageId,
      status: 'queued',
      blocked: null,
      to: '+491713920000',
      from: '+15005550006',
      segments: 1,
      encoding: 'GSM-7',
    },
  },

  prepareOnlyComputes: true,
  // Outside the transaction: rendering may take up to half a second.
  async prepare(input, context) {
    const { rendered, template } = await renderInput(context, context.caller.environment, input);
    return { body: bodyOrRefuse(rendered), template };
  },

  async handle(input, context) {
    const { db, caller, clock, fail, use, audit, prepared } = context;
    const { environment } = caller;
    if (environment.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
    validateTags(input.tags);
    const sendAfter = validateSendAfter(input.sendAfter, clock.now());
    const { topic = null, tags = {} } = input;
    const to = readPhone('to', input.to);
    requireAllowed(context, environment, to);
    const { maxSegments } = await loadSettings(db, environment.id);
    const counted = countSegments(prepared.body);
    requireShort(context, counted, maxSegments);
    if (topic !== null) await use(recipients).mustBeSendable(environment.id, topic);
    const { eligibility, from } = await checkNumbers(context, environment, { topic, isSystem: false }, [to]);
    const [checked] = eligibility;
    if (!checked) throw new Error('The eligibility of the recipient was not checked.');
    const messageId = newId();
    const usages = [usageOf(messageId, to, counted.segments)];
    const isQueued = checked.blockReason === null;
    // Before it is recorded: the tiers that the month has reached without this text.
    const price = isQueued ? await use(metering).estimate(environment, usages) : null;
    const refusal = isQueued ? await use(metering).recordWithinCap(environment, usages) : null;
    if (refusal) return refusal;
    const message = await acceptText(context, {
      id: messageId,
      environment,
      isSystem: false,
      to,
      from,
      body: prepared.body,
      counted,
      tags,
      template: prepared.template,
      topic,
      personId: null,
      sendAfter,
      price,
      eligibility: checked,
    });
    audit({
      subject: { type: 'message', id: message.id },
      summary: `${isQueued ? 'Queued' : 'Suppressed'}: a text message with ${inWords(counted.segments, 'segment')}.`,
      changes: [{ field: 'status', from: null, to: message.status }],
    });
    return {
      messageId: message.id,
      status: isQueued ? ('queued' as const) : ('suppressed' as const),
      blocked: presentBlocked(message),
      to,
      from,
      segments: counted.segments,
      encoding: counted.encoding,
    };
  },
});
