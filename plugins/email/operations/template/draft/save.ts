import { turnsOf } from '#core/kernel/caller/share.js';
import { defineOperation } from '#core/kernel/operation.js';
import { map, nullable, object } from '#core/kernel/schema/schema.js';
import { checkGiven, partsByLocale, requireGuardedPlaces } from '#core/messaging/templates/check.js';
import { maxLocales, maxTemplates } from '#core/messaging/templates/draft.js';
import { draftFields, readLocales, templateName, variableNames } from '#core/messaging/templates/input.js';
import { readLocale } from '#core/messaging/templates/locale.js';
import { saveTemplateDraft } from '#core/messaging/templates/operations.js';
import { Template } from '#core/messaging/templates/resource.js';
import { requireMayOverride } from '#core/messaging/templates/system.js';
import { emailTemplates } from '../../../templates/driver.js';
import { exampleSource, exampleTemplate } from '../../../templates/examples.js';
import { readSource, sourceInput, TemplateContent } from '../../../templates/resources.js';

export default defineOperation({
  name: 'email.template.draft.save',
  summary: 'Creates a template, or replaces its draft in the given locales.',
  description: `Content is written in Liquid, and its syntax is checked. What email.template.get returns can be saved unchanged. Locales that are left out stay as they are; null removes one. The draft of a published template starts from the published content. Nothing is sent from a draft until email.template.publish. A draft under the name of a system template overrides the built-in content once it is published. At most ${maxTemplates} templates per environment and ${maxLocales} locales per template.`,
  keywords: 'create update edit write design layout liquid html translation override',
  access: 'secret',
  impact: { retrySafe: true },
  bodyLimit: 4 * 1024 * 1024,
  input: object({
    template: templateName,
    locales: map(nullable(sourceInput), 'The content by locale (BCP 47 tag).', {
      minProperties: 1,
      maxProperties: maxLocales,
    }),
    ...draftFields,
  }),
  output: object({ template: Template, draft: TemplateContent, variables: variableNames }),
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
    },
  },

  prepareOnlyComputes: true,
  async prepare({ template: name, locales }, context) {
    const system = requireMayOverride(context, 'email', name, 'draft.save');
    const turns = turnsOf(context.caller.environment);
    const checked = await checkGiven(turns, emailTemplates, readLocales(locales, readSource));
    if (system) await requireGuardedPlaces(turns, system, partsByLocale(checked));
    return checked;
  },

  async handle(input, context) {
    const { template: name, description, ifUnchangedSince } = input;
    const defaultLocale = readLocale(input.defaultLocale, 'defaultLocale');
    const draft = { name, locales: context.prepared, defaultLocale, description, ifUnchangedSince };
    const saved = await saveTemplateDraft(context, emailTemplates, draft);
    const { template, hasChanged, ...shown } = saved;
    if (hasChanged) context.emit('email.template.draft_saved', { subjectId: name, data: { template } });
    return { template, ...shown };
  },
});
