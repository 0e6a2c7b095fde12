import {
  either,
  filledText,
  integer,
  list,
  mailbox,
  map,
  object,
  optional,
  optionalWith,
  text,
  uuid,
  type Schema,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { sharedFields, variablesInput } from '#core/messaging/input.js';
import { contentTypePattern } from '../templates/header.js';

const addresses = (description: string, maxItems: number, minItems = 0): Schema<string | string[]> => {
  const bounds = minItems === 0 ? 'Up to' : `${minItems} to`;
  return either(mailbox(), list(mailbox(), `${bounds} ${maxItems} addresses.`, { minItems, maxItems }), description);
};
const mebibyte = 1_048_576;

/** The fields of a message. Content is Liquid: `{{ name }}` is replaced from `variables`. */
const messageFields = {
  to: addresses('The recipients: addresses, with or without a name, such as `Ada <ada@example.com>`.', 50, 1),
  cc: optional(addresses('Recipients of a copy, visible to all recipients.', 50)),
  bcc: optional(addresses('Recipients of a blind copy, not visible to the others.', 50)),
  from: optional(
    mailbox(
      'An address on the project’s own sending domain or on a verified one. Defaults to the project’s sender. It may include a name, which `fromName` overrides; the project’s sender keeps its name if neither is given.',
    ),
  ),
  fromName: optional(text('The name that recipients see.', { maxLength: 120 })),
  replyTo: optional(addresses('Where replies go.', 10)),
  inReplyTo: optional(
    uuid(
      'A received message that this one answers, from email.inbound.list. In-Reply-To and References are set, so that mail programs show it in the same thread. Begin the subject with `Re:`.',
    ),
  ),
  subject: optional(
    filledText(
      'Liquid, like text and html. Required without a template; with a template, it replaces the template’s subject.',
      998,
    ),
  ),
  text: optional(
    filledText('The message as plain text. Without a template, at least one of text and html is required.', mebibyte),
  ),
  html: optional(filledText('The message as HTML. The values of variables are escaped.', mebibyte)),
  template: optional(
    text('A published template from email.template.list, instead of text and html.', { minLength: 1, maxLength: 100 }),
  ),
  templateVersion: optional(
    integer('An earlier published version; defaults to the current one.', {
      minimum: 1,
      maximum: 2_147_483_647,
    }),
  ),
  locale: optional(
    text(
      'The recipient’s language, BCP 47, for a template: de-AT falls back to de, then to the project’s language, then to the template’s default one.',
      { minLength: 2, maxLength: 35 },
    ),
  ),
  variables: optional(variablesInput('message', 'Values of the variables in the content.')),
  headers: optional(
    map(
      text(undefined, { maxLength: 998 }),
      'Additional headers: only X-* and List-*, except those that mail relays treat as commands, such as X-MC-*, X-SMTPAPI or X-Bcc.',
      { maxProperties: 30 },
    ),
  ),
  ...sharedFields,
  topic: optionalWith(
    'audience',
    text(
      'The consent topic. There must be exactly one `to` address, and its contact must have granted the topic. List-Unsubscribe is added, and the content can use {{ preferencesUrl }} and {{ legalAddress }}.',
      {
        minLength: 1,
        maxLength: 64,
      },
    ),
  ),
} as const;

const attachments = optional(
  list(
    object({
      filename: filledText('The name that recipients see.', 255),
      contentType: text(
        'MIME type, with its parameters: application/pdf, text/csv; charset=utf-8, text/calendar; method=REQUEST; charset=UTF-8.',
        { pattern: contentTypePattern, maxLength: 255 },
      ),
      content: text('Base64.'),
      contentId: optional(
        text('For inline images: <img src="cid:…">.', {
          pattern: '^[A-Za-z0-9._@-]+$',
          minLength: 1,
          maxLength: 200,
        }),
      ),
    }),
    'At most 10 MiB in total.',
    { maxItems: 20 },
  ),
);

/** The input of email.send. */
export const messageInput = object({ ...messageFields, attachments });

/** A message of email.batch.send. */
export const batchMessageInput = object(messageFields);

/** A message without attachments. */
export type MessageFields = ValueOf<typeof batchMessageInput>;
export type MessageInput = ValueOf<typeof messageInput>;
