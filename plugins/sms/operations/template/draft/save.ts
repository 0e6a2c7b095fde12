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
import { smsTemplates } from '../../../templates/driver.js';
import { exampleBody, exampleTemplate } from '../../../templates/examples.js';
import { bodyInput, SmsTemplateContent } from '../../../templates/resources.js';

export default defineOperation({
  name: 'sms.template.draft.save',
  summary: 'Creates an SMS template, or replaces its draft in the given locales.',
  description: `Content is written in Liquid, and its syntax is checked; sms.estimate counts the segments of a published template. Locales that are left out stay as they are; null removes one. The draft of a published template starts from the published content. Nothing is sent from a draft until sms.template.publish. A draft under the name of a system template overrides the built-in text once it is published. At most ${maxTemplates} templates per environment and ${maxLocales} locales per template.`,
  keywords: 'create update edit write design liquid translation override',
  access: 'secret',
  impact: { retrySafe: true },
  input: object({
    template: templateName,
    locales: map(nullable(bodyInput), 'The content by locale (BCP 47 tag).', {
      minProperties: 1,
      maxProperties: maxLocales,
    }),
    ...draftFields,
  }),
  output: object({ template: Template, draft: SmsTemplateContent, variables: variableNames }),
  errors: ['template_invalid', 'limit_reached'],
  events: ['sms.template.draft_saved'],
  example: {
    input: { template: exampleTemplate.template, locales: { en: exampleBody } },
    output: {
      template: { ...exampleTemplate, hasDraft: true },
      draft: { en: exampleBody },
      variables: exampleTemplate.variables,
    },
  },

  prepareOnlyComputes: true,
  async prepare({ template: name, locales }, context) {
    const system = requireMayOverride(context, 'sms', name, 'draft.save');
    const turns = turnsOf(context.caller.environment);
    const checked = await checkGiven(
      turns,
      smsTemplates,
      readLocales(locales, ({ body }) => ({ body })),
    );
    if (system) await requireGuardedPlaces(turns, system, partsByLocale(checked));
    return checked;
  },

  async handle(input, context) {
    const { template: name, description, ifUnchangedSince } = input;
    const defaultLocale = readLocale(input.defaultLocale, 'defaultLocale');
    const draft = { name, locales: context.prepared, defaultLocale, description, ifUnchangedSince };
    const saved = await saveTemplateDraft(context, smsTemplates, draft);
    const { template, hasChanged, ...shown } = saved;
    if (hasChanged) context.emit('sms.template.draft_saved', { subjectId: name, data: { template } });
    return { template, ...shown };
  },
});
