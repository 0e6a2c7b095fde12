import { defineOperation } from '#core/kernel/operation.js';
import { nullable, object } from '#core/kernel/schema/schema.js';
import { shownVersion, templateKey, versionList } from '#core/messaging/templates/input.js';
import { showTemplate } from '#core/messaging/templates/operations.js';
import { Template } from '#core/messaging/templates/resource.js';
import { emailTemplates } from '../../templates/channel.js';
import { exampleSource, exampleTemplate } from '../../templates/examples.js';
import { TemplateContent } from '../../templates/resources.js';

export default defineOperation({
  name: 'email.template.get',
  summary: 'Get a template with its draft, its published texts in every locale, and its versions.',
  description:
    'Of a system template that nothing replaces, `published` holds the built-in texts: they can be saved as the draft of one’s own.',
  keywords: 'show content html history',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    template: templateKey,
    version: shownVersion,
  }),
  output: object({
    template: Template,
    draft: nullable(TemplateContent),
    published: nullable(TemplateContent),
    versions: versionList,
  }),
  example: {
    input: { template: exampleTemplate.template },
    output: {
      template: exampleTemplate,
      draft: null,
      published: { en: exampleSource },
      versions: [{ version: 3, publishedAt: exampleTemplate.updatedAt, publishedBy: 'ada@example.com' }],
    },
  },

  handle: (input, context) => showTemplate(context, emailTemplates, input),
});
