import { filledText, optional, optionalWith, phone, text } from '#core/kernel/schema/schema.js';
import { sharedFields, variablesInput } from '#core/messaging/input.js';

/** The content of a text: given with the call, or a template's. */
export const contentFields = {
  body: optional(filledText('The text, in Liquid. Exactly one of body and template is required.', 1_600)),
  template: optional(text('A published template from sms.template.list.', { minLength: 1, maxLength: 100 })),
  variables: optional(variablesInput('message', 'Values of the variables in the text.')),
  locale: optional(
    text(
      'The recipient’s language, BCP 47, for a template: de-AT falls back to de, then to the project’s language, then to the template’s default one.',
      { minLength: 2, maxLength: 35 },
    ),
  ),
} as const;

/** The fields that specify the content of a text, for `exactlyOneOf`. */
export const contentSources = ['body', 'template'] as const;

/** The fields of a single text. */
export const sendFields = {
  to: phone('The recipient, in international form: +491713920000.'),
  ...contentFields,
  topic: optionalWith(
    'audience',
    text('The consent topic. The recipient must have granted it by SMS.', { minLength: 1, maxLength: 64 }),
  ),
  ...sharedFields,
} as const;

/** The fields of a call that specify the content of a text. */
export interface ContentInput {
  readonly body?: string | undefined;
  readonly template?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly locale?: string | undefined;
}
