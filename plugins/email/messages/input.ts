import {
  anything,
  dateTime,
  email,
  either,
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

/** What email.send takes. Content is Liquid: `{{ name }}` is filled from `variables`. */
export const messageInput = object({
  to: either(address, many('1 to 50 addresses.'), 'Who gets it.'),
  cc: optional(many('Who gets a copy, for all to see.')),
  bcc: optional(many('Who gets a copy, seen by nobody.')),
  from: optional(
    email('On the project’s own sending domain or a verified one; the project’s sender where nothing is said.'),
  ),
  fromName: optional(text('The name that readers see.', { maxLength: 120 })),
  replyTo: optional(list(address, 'Where answers go.', { minItems: 1, maxItems: 10 })),
  subject: text('Liquid, as text and html are.', { minLength: 1, maxLength: 998 }),
  text: optional(text('The message as plain text; at least one of text and html.', { maxLength: mebibyte })),
  html: optional(text('The message as HTML. Variables are escaped.', { maxLength: mebibyte })),
  variables: optional(map(anything(), 'Values for the content’s variables.', { maxProperties: 200 })),
  attachments: optional(
    list(
      object({
        filename: text('As the reader sees it.', { minLength: 1, maxLength: 255 }),
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
    map(text(undefined, { maxLength: 998 }), 'Further headers: X-* and List-* alone.', { maxProperties: 30 }),
  ),
  tags: optional(
    map(text(undefined, { minLength: 1, maxLength: 250 }), 'Yours, to find messages by.', { maxProperties: 10 }),
  ),
  topic: optionalWith(
    'audience',
    text('The consent topic: then exactly one `to`, who must have granted it, and List-Unsubscribe is added.', {
      minLength: 1,
      maxLength: 64,
    }),
  ),
  sendAfter: optional(dateTime('Not before this; up to 30 days ahead.')),
});

export type MessageInput = ValueOf<typeof messageInput>;
