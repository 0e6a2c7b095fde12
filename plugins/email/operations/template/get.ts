import { defineOperation } from '#core/kernel/operation.js';
import { nullable, object } from '#core/kernel/schema/schema.js';
import { shownVersion, templateKey, versionList } from '#core/messaging/templates/input.js';
import { showTemplate } from '#core/messaging/templates/operations.js';
import { Template } from '#core/messaging/templates/resource.js';
import { emailTemplates } from '../../templates/driver.js';
import { exampleSource, exampleTemplate } from '../../templates/examples.js';
import { exampleImage, imageList, newestImages, presentImage } from '../../images/resources.js';
import { TemplateContent } from '../../templates/resources.js';

export default defineOperation({
  name: 'email.template.get',
  summary:
    'Returns a template with its draft, its published content in every locale, its required variables and its list of versions.',
  description:
    'For a system template that has not been overridden, `published` contains the built-in content, which you can save as your own draft.',
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
    images: imageList,
  }),
  example: {
    input: { template: exampleTemplate.template },
    output: {
      template: exampleTemplate,
      draft: null,
      published: { en: exampleSource },
      versions: [{ version: 3, publishedAt: exampleTemplate.updatedAt, publishedBy: 'ada@example.com' }],
      images: [exampleImage],
    },
  },

  async handle(input, context) {
    const shown = await showTemplate(context, emailTemplates, input);
    const images = await newestImages(context.db, context.caller.environment.id);
    return { ...shown, images: images.map((row) => presentImage(context.deployment, row)) };
  },
});
