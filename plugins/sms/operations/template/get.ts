import { defineOperation } from '#core/kernel/operation.js';
import { nullable, object } from '#core/kernel/schema/schema.js';
import { shownVersion, templateKey, versionList } from '#core/messaging/templates/input.js';
import { showTemplate } from '#core/messaging/templates/operations.js';
import { Template } from '#core/messaging/templates/resource.js';
import { smsTemplates } from '../../templates/driver.js';
import { exampleBody, exampleTemplate } from '../../templates/examples.js';
import { SmsTemplateContent } from '../../templates/resources.js';

export default defineOperation({
  name: 'sms.template.get',
  summary: 'Returns a template with its draft, its published text in every locale and its versions.',
  description:
    'For a system template that has not been overridden, `published` contains the built-in text, which you can save as your own draft.',
  keywords: 'show content body history',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ template: templateKey, version: shownVersion }),
  output: object({
    template: Template,
    draft: nullable(SmsTemplateContent),
    published: nullable(SmsTemplateContent),
    versions: versionList,
  }),
  example: {
    input: { template: exampleTemplate.template },
    output: {
      template: exampleTemplate,
      draft: null,
      published: { en: exampleBody },
      versions: [{ version: 3, publishedAt: exampleTemplate.updatedAt, publishedBy: 'ada@example.com' }],
    },
  },

  handle: (input, context) => showTemplate(context, smsTemplates, input),
});
