import {
  anything,
  dateTime,
  either,
  email,
  filledText,
  list,
  map,
  object,
  optional,
  optionalWith,
  text,
  type ValueOf,
} from '#core/kernel/schema/schema.js';

const address = email();
const many = (description: string): ReturnType<typeof list<string, string>> =>
  list(address, description, { minItems: 1, maxItems: 50 });
const mebibyte = 1_048_576;

/** The input of email.send. Content is Liquid: `{{ name }}` is replaced from `variables`. */
export const messageInput = object({
  to: either(address, many('1 to 50 addresses.'), 'The recipients.'),
  cc: optional(many('Addresses that get a copy, visible to all recipients.')),
  bcc: optional(many('Addresses that get a copy, visible to nobody.')),
  from: optional(email('On the project’s own sending domain or a verified one. Defaults to the project’s sender.')),
  fromName: optional(text('The name that recipients see.', { maxLength: 120 })),
  replyTo: optional(list(address, 'Where replies go.', { minItems: 1, maxItems: 10 })),
  subject: filledText('Liquid, like text and html.', 998),
  text: optional(filledText('The message as plain text. At least one of text and html is required.', mebibyte)),
  html: optional(filledText('The message as HTML. Values of variables are escaped.', mebibyte)),
  variables: optional(map(anything(), 'Values of the variables in the content.', { maxProperties: 200 })),
  attachments: optional(
    list(
      object({
        filename: filledText('The name that recipients see.', 255),
        contentType: text('MIME type, such as application/pdf.', {
          pattern: '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+$',
          maxLength: 127,
        }),
        content: text('Base64.'),
        contentId: optional(
          text('For inline images: <img src="cid:…">.', {
            pattern: '^[A-Za-z0-9._@-]+$',
            minLength: 1,
            maxLength: 200,
          }),
        ),
      }),
      'At most 10 MiB together.',
      { minItems: 1, maxItems: 20 },
    ),
  ),
  headers: optional(
    map(
      text(undefined, { maxLength: 998 }),
      'Further headers: only X-* and List-*, and none that mail relays take as commands, such as X-MC-*, X-SMTPAPI or X-Bcc.',
      { maxProperties: 30 },
    ),
  ),
  tags: optional(
    map(text(undefined, { minLength: 1, maxLength: 250 }), 'Labels of yours to find messages by.', {
      maxProperties: 10,
    }),
  ),
  topic: optionalWith(
    'audience',
    text('The consent topic. There must be exactly one `to`, who has granted it, and List-Unsubscribe is added.', {
      minLength: 1,
      maxLength: 64,
    }),
  ),
  sendAfter: optional(dateTime('Do not send before this time; up to 30 days ahead.')),
});

export type MessageInput = ValueOf<typeof messageInput>;
