import type { Change, HandlerContext } from '#core/kernel/context.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { defineOperation } from '#core/kernel/operation.js';
import { list, object, optional, type ValueOf } from '#core/kernel/schema/schema.js';
import { checkDraft, draftLimits, localesInput, storeDraft } from '#core/messaging/operations/template/draft/save.js';
import { draftFields, templateName, variableNames } from '#core/messaging/templates/input.js';
import { readLocale } from '#core/messaging/templates/locale.js';
import { Template, type TemplateValue } from '#core/messaging/templates/resource.js';
import { showTemplate, templateSubject } from '#core/messaging/templates/show.js';
import { imagesInput, readImage } from '../../../images/input.js';
import { Image, presentImage } from '../../../images/resources.js';
import { storeImages } from '../../../images/store.js';
import type { TemplateSource } from '../../../tables/template.js';
import { emailTemplates } from '../../../templates/channel.js';
import { TemplateContent } from '../../../templates/resources.js';

const { example } = emailTemplates;

/** Besides texts, it stores pictures. */
export default defineOperation({
  name: 'email.template.draft.save',
  summary: 'Creates a template, or replaces its draft in the given locales.',
  description: `Content is written in Liquid, and its syntax is checked. What email.template.get returns can be saved unchanged. Locales that are left out stay as they are; null removes one. images stores pictures; without locales the draft stays as it is. The draft of a published template starts from the published content. Nothing is sent from a draft until email.template.publish. A draft under the name of a system template overrides the built-in content once it is published. ${draftLimits}`,
  keywords: 'create update edit write design layout liquid html translation override',
  access: 'secret',
  impact: { retrySafe: true },
  bodyLimit: 16 * 1024 * 1024,
  input: object({
    template: templateName,
    locales: optional(
      localesInput(emailTemplates, 'The content by locale (BCP 47 tag). Required unless there are images.'),
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
    input: { template: example.template.template, locales: { en: example.given } },
    output: {
      template: { ...example.template, hasDraft: true },
      draft: { en: example.source },
      variables: example.template.variables,
      images: [],
    },
  },

  prepareOnlyComputes: true,
  async prepare({ template: name, locales = {}, images = [] }, context) {
    if (Object.keys(locales).length + images.length === 0)
      throw invalidField('locales', 'is required, unless there are images');
    const given = images.map((each, index) => readImage(each, `images[${index}]`));
    return { locales: await checkDraft(context, emailTemplates, name, locales), images: given };
  },

  async handle(input, context) {
    const { caller, deployment, prepared, emit } = context;
    readLocale(input.defaultLocale, 'defaultLocale');
    const stored = await storeImages(context, caller.environment, prepared.images);
    const images = stored.map((row) => presentImage(deployment, row));
    if (input.locales === undefined) return { ...(await keepDraft(context, input.template, images)), images };
    const draft = { ...input, locales: prepared.locales, changes: imageChanges(images) };
    const { hasChanged, ...saved } = await storeDraft(context, emailTemplates, draft);
    const { template } = saved;
    if (hasChanged) emit('email.template.draft_saved', { subjectId: template.template, data: { template } });
    return { ...saved, images };
  },
});

type Images = readonly ValueOf<typeof Image>[];

const imageChanges = (images: Images): Change[] =>
  images.length === 0 ? [] : [{ field: 'images', from: null, to: images.map(({ name, url }) => ({ name, url })) }];

/**
 * Writes the audit record of pictures that were stored for a template whose draft stays as it is. @throws not_found
 */
async function keepDraft(
  context: Pick<HandlerContext<'secret'>, 'db' | 'caller' | 'deployment' | 'audit'>,
  name: string,
  images: Images,
): Promise<{ template: TemplateValue; draft: Record<string, TemplateSource>; variables: string[] }> {
  const { template, draft, published } = await showTemplate(context, emailTemplates, { template: name });
  context.audit({
    subject: templateSubject(name),
    summary: `Stored pictures for the template ${name}.`,
    changes: imageChanges(images),
  });
  return { template, draft: draft ?? published ?? {}, variables: [...template.variables] };
}
