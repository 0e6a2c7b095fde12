import { turnsOf } from '#core/kernel/caller/share.js';
import { defineOperation } from '#core/kernel/operation.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { list, map, nullable, object, optional } from '#core/kernel/schema/schema.js';
import { checkGiven, partsByLocale, requireGuardedPlaces } from '#core/messaging/templates/check.js';
import { maxLocales, maxTemplates } from '#core/messaging/templates/draft.js';
import { draftFields, readLocales, templateName, variableNames } from '#core/messaging/templates/input.js';
import { readLocale } from '#core/messaging/templates/locale.js';
import { keepTemplateDraft, saveTemplateDraft } from '#core/messaging/templates/operations.js';
import { Template } from '#core/messaging/templates/resource.js';
import { requireMayOverride } from '#core/messaging/templates/system.js';
import { imagesInput, readImage } from '../../../images/input.js';
import { Image, presentImage } from '../../../images/resources.js';
import { storeImages } from '../../../images/store.js';
import { emailTemplates } from '../../../templates/driver.js';
import { exampleSource, exampleTemplate } from '../../../templates/examples.js';
import { readSource, sourceInput, TemplateContent } from '../../../templates/resources.js';

export default defineOperation({
  name: 'email.template.draft.save',
  summary: 'Creates a template, or replaces its draft in the given locales.',
  description: `Content is written in Liquid, and its syntax is checked. What email.template.get returns can be saved unchanged. Locales that are left out stay as they are; null removes one. images stores pictures; without locales the draft stays as it is. The draft of a published template starts from the published content. Nothing is sent from a draft until email.template.publish. A draft under the name of a system template overrides the built-in content once it is published. At most ${maxTemplates} templates per environment and ${maxLocales} locales per template.`,
  keywords: 'create update edit write design layout liquid html translation override',
  access: 'secret',
  impact: { retrySafe: true },
  bodyLimit: 16 * 1024 * 1024,
  input: object({
    template: templateName,
    locales: optional(
      map(nullable(sourceInput), 'The content by locale (BCP 47 tag). Required unless there are images.', {
        minProperties: 1,
        maxProperties: maxLocales,
      }),
    ),
    images: optional(imagesInput),
    ...draftFields,
  }),
  output: object({
    template: Template,
    draft: TemplateContent,
    variables: variableNames,
    images: list(Image, 'The given images, in their order.'),
  }),
  errors: ['template_invalid', 'limit_reached'],
  events: ['email.template.draft_saved'],
  example: {
    input: {
      template: exampleTemplate.template,
      locales: {
        en: { subject: exampleSource.subject, html: exampleSource.html, preheader: exampleSource.preheader },
      },
    },
    output: {
      template: { ...exampleTemplate, hasDraft: true },
      draft: { en: exampleSource },
      variables: exampleTemplate.variables,
      images: [],
    },
  },

  prepareOnlyComputes: true,
  async prepare({ template: name, locales = {}, images = [] }, context) {
    if (Object.keys(locales).length + images.length === 0)
      throw invalidField('locales', 'is required, unless there are images');
    const given = images.map((each, index) => readImage(each, `images[${index}]`));
    const system = requireMayOverride(context, 'email', name, 'draft.save');
    const turns = turnsOf(context.caller.environment);
    const checked = await checkGiven(turns, emailTemplates, readLocales(locales, readSource));
    if (system) await requireGuardedPlaces(turns, system, partsByLocale(checked));
    return { locales: checked, images: given };
  },

  async handle(input, context) {
    const { template: name, description, ifUnchangedSince } = input;
    const defaultLocale = readLocale(input.defaultLocale, 'defaultLocale');
    const stored = await storeImages(context, context.caller.environment, context.prepared.images);
    const images = stored.map((row) => presentImage(context.deployment, row));
    const draft = { name, locales: context.prepared.locales, images, defaultLocale, description, ifUnchangedSince };
    if (input.locales === undefined) return { ...(await keepTemplateDraft(context, emailTemplates, draft)), images };
    const saved = await saveTemplateDraft(context, emailTemplates, draft);
    const { template, hasChanged, ...shown } = saved;
    if (hasChanged) context.emit('email.template.draft_saved', { subjectId: name, data: { template } });
    return { template, ...shown, images };
  },
});
