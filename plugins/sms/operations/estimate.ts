import { defineOperation } from '#core/kernel/operation.js';
import { Money } from '#core/kernel/schema/money.js';
import { integer, list, nullable, object, optional, phone, text } from '#core/kernel/schema/schema.js';
import { newId } from '#core/runtime/id.js';
import { metering } from '#plugins/billing/ports.js';
import { bodyOrRefuse } from '../messages/content.js';
import { contentFields, contentSources } from '../messages/input.js';
import { renderInput } from '../messages/render-input.js';
import { encoding } from '../messages/resources.js';
import { usageOf } from '../messages/metering.js';
import { countSegments } from '../segments.js';

export default defineOperation({
  name: 'sms.estimate',
  summary:
    'Renders a message without sending it and returns its segments, its encoding, the characters that force UCS-2, and its price.',
  description:
    'Curly quotes are a typical reason for UCS-2. Missing variables are listed, not refused; the message then contains their names. System templates (sms.template.list) are rendered as svc sends them.',
  keywords: 'preview length characters unicode gsm cost price parts smart quotes emoji',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object(
    {
      to: optional(phone('The recipient, whose country determines the price.')),
      ...contentFields,
    },
    { exactlyOneOf: contentSources },
  ),
  output: object({
    text: text('The message as it would be sent.'),
    segments: integer('The number of segments.'),
    encoding,
    characters: integer(
      'Its length as counted for segments: in GSM-7, the characters ^{}\\[~]|€ count twice; in UCS-2, UTF-16 code units, of which an emoji has two or more.',
    ),
    forcedBy: list(text(), 'The characters that force UCS-2 because GSM-7 does not have them, each once; at most 50.'),
    price: nullable(Money),
    missing: list(text(), 'Variables that were not supplied.'),
  }),
  errors: ['template_invalid', 'template_not_published'],
  example: {
    input: { to: '+491713920000', body: 'It’s here, {{ firstName }}!', variables: { firstName: 'Ada' } },
    output: {
      text: 'It’s here, Ada!',
      segments: 1,
      encoding: 'UCS-2',
      characters: 15,
      forcedBy: ['’'],
      price: { currency: 'USD', amount: '0.079' },
      missing: [],
    },
  },

  async handle({ to, ...input }, context) {
    const { environment } = context.caller;
    const { rendered } = await renderInput(context, environment, input, { isPreview: true });
    const isMissing = !rendered.ok && 'missing' in rendered;
    const body = isMissing ? rendered.preview : bodyOrRefuse(rendered);
    const counted = countSegments(body);
    return {
      text: body,
      ...counted,
      forcedBy: [...counted.forcedBy],
      price: await context.use(metering).estimate(environment, [usageOf(newId(), to, counted.segments)]),
      missing: isMissing ? [...rendered.missing] : [],
    };
  },
});
