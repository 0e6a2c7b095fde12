import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { exampleShown, shownFields, templateGetParts } from '#core/messaging/operations/template/get.js';
import { showTemplate } from '#core/messaging/templates/show.js';
import { exampleImage, imageList, newestImages, presentImage } from '../../images/resources.js';
import { emailTemplates } from '../../templates/channel.js';

/** As on every channel, and with the pictures that templates can show. */
export default defineOperation({
  name: 'email.template.get',
  summary:
    'Returns a template with its draft, its published content in every locale, its required variables and its list of versions.',
  keywords: 'show content html history',
  ...templateGetParts(emailTemplates),
  output: object({ ...shownFields(emailTemplates), images: imageList }),
  example: {
    input: { template: emailTemplates.example.template.template },
    output: { ...exampleShown(emailTemplates), images: [exampleImage] },
  },

  async handle(input, context) {
    const shown = await showTemplate(context, emailTemplates, input);
    const images = await newestImages(context.db, context.caller.environment.id);
    return { ...shown, images: images.map((row) => presentImage(context.deployment, row)) };
  },
});
