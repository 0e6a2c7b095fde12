import {
  anything,
  dateTime,
  either,
  filledText,
  list,
  mailbox,
  map,
  object,
  optional,
  optionalWith,
  text,
  type Schema,
  type ValueOf,
} from '#core/kernel/schema/schema.js';

const oneOrMany = (description: string, maxItems: number): Schema<string | string[]> =>
  either(mailbox(), list(mailbox(), `1 to ${maxItems} addresses.`, { minItems: 1, maxItems }), description);
const mebibyte = 1_048_576;

/** The input of email.send. Content is Liquid: `{{ name }}` is replaced from `variables`. */
export const messageInput = object({
  to: oneOrMany('The recipients: addresses, with or without a name, such as `Ada <ada@example.com>`.', 50),
  cc: optional(oneOrMany('Who gets a copy, visible to all recipients.', 50)),
  bcc: optional(oneOrMany('Who gets a copy, visible to nobody.', 50)),
  from: optional(
    mailbox(
      'On the project’s own sending domain or a verified one. Defaults to the project’s sender. A name in it counts unless `fromName` is given.',
    ),
  ),
  fromName: optional(text('The name that recipients see.', { maxLength: 120 })),
  replyTo: optional(oneOrMany('Where replies go.', 10)),
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
