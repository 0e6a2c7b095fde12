import { changesBetween, newFields } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { canonicalLocale } from '#core/kernel/schema/locale.js';
import { map, nullable, object, optional, text, type ValueOf } from '#core/kernel/schema/schema.js';
import { checkContents, unionOf } from '#core/messaging/templates/check.js';
import { maxLocales, maxTemplates, saveDraft } from '#core/messaging/templates/draft.js';
import { readLocale } from '#core/messaging/templates/locale.js';
import { Template } from '#core/messaging/templates/resource.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { TemplateSource } from '../../../tables/template.js';
import { emailTemplates } from '../../../templates/channel.js';
import { exampleSource, exampleTemplate } from '../../../templates/examples.js';
import { presentEmailTemplate } from '../../../templates/find.js';
import {
  localeTag,
  presentContents,
  sourceInput,
  sourceOf,
  TemplateContent,
  templateName,
  variableNames,
} from '../../../templates/resources.js';

type Given = Record<string, ValueOf<typeof sourceInput> | null>;

/** The given texts by canonical locale. @throws invalid_input naming the locale */
function readLocales(given: Given): Record<string, TemplateSource | null> {
  const read: Record<string, TemplateSource | null> = {};
  for (const [tag, texts] of Object.entries(given)) {
    const field = `locales.${tag.slice(0, 40)}`;
    const locale = canonicalLocale(tag);
    if (locale === null) throw invalidField(field, 'must be a BCP 47 tag such as de or de-AT');
    if (locale in read) throw invalidField(field, 'is given twice');
    if (texts && texts.html === undefined && texts.text === undefined)
      throw invalidField(field, 'must have html, text or both');
    read[locale] = texts && sourceOf(texts);
  }
  return read;
}

export default defineOperation({
  name: 'email.template.draft.save',
  summary: 'Create a template, or replace its draft in the given locales.',
  description: `Texts are Liquid, and their syntax is checked. Locales that are not given stay as they are; null removes one. A draft of a published template begins as what is published. Nothing is sent with a draft until email.template.publish. Under the name of a system template the draft replaces that one’s built-in texts, once it is published. At most ${maxTemplates} templates per environment and ${maxLocales} locales per template.`,
  keywords: 'create update edit write design layout liquid html translation override',
  access: 'secret',
  impact: { retrySafe: true },
  bodyLimit: 4 * 1024 * 1024,
  input: object({
    template: templateName,
    locales: map(nullable(sourceInput), 'The texts by locale, as BCP 47 tag.', {
      minProperties: 1,
      maxProperties: maxLocales,
    }),
    defaultLocale: optional({
      ...localeTag,
      description: 'The language of recipients whose own is not there. en by default, else the first one given.',
    }),
    description: optional(nullable(text('What it is for.', { maxLength: 500 }))),
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
  async prepare({ locales }, { caller }) {
    const given = readLocales(locales);
    const texts = Object.entries(given).flatMap(([locale, source]) => (source ? [[locale, source] as const] : []));
    const checked = await checkContents(caller.environment.id, emailTemplates, Object.fromEntries(texts));
    return Object.fromEntries(Object.keys(given).map((locale) => [locale, checked[locale] ?? null]));
  },

  async handle(input, { db, caller, clock, deployment, emit, audit, prepared: locales }) {
    const { template: name, description } = input;
    const defaultLocale = readLocale(input.defaultLocale, 'defaultLocale');
    const saved = await saveDraft(
      db,
      emailTemplates,
      caller.environment.id,
      { name, locales, defaultLocale, description },
      clock.now(),
    );
    const { before, after, contents, changedLocales, hasChanged } = saved;
    const template = presentEmailTemplate(deployment, after);
    const fields = ['description', 'defaultLocale', 'hasDraft'] as const;
    const facts = before
      ? changesBetween(presentEmailTemplate(deployment, before), template, fields)
      : newFields(template, fields);
    // The names of the locales alone: the texts are in the draft.
    const texts = changedLocales.length > 0 ? [{ field: 'locales', from: null, to: changedLocales }] : [];
    audit({
      subject: { type: 'template', id: name },
      summary: `${before ? 'Saved a draft of' : 'Created'} the template ${name}.`,
      changes: [...facts, ...texts],
      unchanged: `the draft of ${name} stays as it was.`,
    });
    if (hasChanged) emit('email.template.draft_saved', { subjectId: name, data: { template } });
    return { template, draft: presentContents(contents), variables: unionOf(contents.map((each) => each.variables)) };
  },
});
