import { defineOperation } from '#core/kernel/operation.js';
import {
  boolean,
  integer,
  list,
  object,
  optional,
  optionalWith,
  text,
  uuid,
  withDefault,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import type { PageTheme } from '#core/surfaces/pages/theme.js';
import { requireVariableSize, variablesInput } from '#core/messaging/input.js';
import { localeTag, templateKey } from '#core/messaging/templates/input.js';
import { themeInput } from '#plugins/account/ports.js';
import { exampleSource, exampleTemplate } from '../../templates/examples.js';
import { contentSource, previewContent, previewReader, previewSource } from '../../templates/preview.js';
import { inlineContent, readSource } from '../../templates/resources.js';

export default defineOperation({
  name: 'email.template.preview',
  summary: 'Renders draft, published or inline content with variables, without sending anything.',
  description:
    'Missing variables are listed, not refused. A draft is rendered as it would be sent once published: in the layout, with its CSS inlined. `topic` renders what subscribers receive, including the postal address and the unsubscribe link; `contactId` renders what that contact receives. Missing variables appear in the output as `{{ name }}`. So do variables that every broadcast supplies, such as `{{ contact.firstName }}`; they are not listed as missing, but `email.send` requires them in `variables`.',
  keywords: 'try test render show look',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object(
    {
      template: optional(templateKey),
      content: optional(inlineContent),
      layout: withDefault(
        boolean('With `content`: show it as a template’s, in the layout and with its CSS inlined.'),
        false,
      ),
      theme: optional({
        ...themeInput,
        description: 'With `layout`: the theme of the layout, instead of the published one.',
      }),
      draft: withDefault(boolean('Render the draft if there is one; false renders the published version.'), true),
      locale: optional({
        ...localeTag,
        description: 'The recipient’s language. de-AT falls back to de, then to the default locale.',
      }),
      variables: optional(variablesInput('message', 'Values of the variables.')),
      topic: optionalWith(
        'audience',
        text(
          'Render the mail as sent under this consent topic. Without contactId, its unsubscribe link is an example.',
          {
            minLength: 1,
            maxLength: 64,
          },
        ),
      ),
      contactId: optionalWith(
        'audience',
        uuid(
          'The contact whose language, fields and properties are used, as in a broadcast. They take precedence over `variables`.',
        ),
      ),
    },
    { exactlyOneOf: ['template', 'content'] },
  ),
  output: object({
    subject: text('The subject.'),
    html: text('The mail as HTML; empty if it has none.'),
    text: text('The mail as plain text; empty if it has none.'),
    missing: list(
      text(),
      'Variables that the content uses but that were not supplied, except those that every broadcast supplies: the fields of `contact`, `preferencesUrl`, `legalAddress`.',
    ),
    bytes: integer('The size of text and HTML. Gmail clips messages at about 102,000 bytes.'),
  }),
  errors: ['template_invalid', 'template_not_published', 'topic_archived'],
  example: {
    input: { template: exampleTemplate.template, variables: { firstName: 'Ada' } },
    output: {
      subject: 'Your order {{ order.number }} is on its way',
      html: exampleSource.html.replace('{{ firstName }}', 'Ada'),
      text: 'Good news, Ada\n\nYour order {{ order.number }} is on its way.\n',
      missing: ['order.number'],
      bytes: 148,
    },
  },

  async handle({ template, content, layout, theme, draft, locale, variables = {}, topic, contactId }, context) {
    requireVariableSize('message', variables);
    const { environment } = context.caller;
    const reader = await previewReader(context, environment, { topic, contactId });
    const wanted = { name: template ?? '', draft, locale, contactLocale: reader.contact?.locale ?? null };
    const source = content
      ? await contentSource(
          context,
          environment,
          readSource(content, 'content'),
          layout ? locale : null,
          theme && lookOf(theme),
        )
      : await previewSource(context, environment, wanted);
    const { subject, html, text: plain, missing } = await previewContent(environment, source, variables, reader);
    return {
      subject,
      html: html ?? '',
      text: plain ?? '',
      missing: [...missing],
      bytes: Buffer.byteLength(html ?? '') + Buffer.byteLength(plain ?? ''),
    };
  },
});

/** A theme that somebody is still editing. */
const lookOf = ({
  logoUrl = null,
  supportUrl = null,
  supportEmail = null,
  ...rest
}: ValueOf<typeof themeInput>): PageTheme => ({
  ...rest,
  logoUrl,
  supportUrl,
  supportEmail,
});
