import { changesBetween, newFields } from '#core/kernel/audit/changes.js';
import { requireUnchanged } from '#core/kernel/audit/unchanged.js';
import { turnsOf } from '#core/kernel/caller/share.js';
import type { Change, HandlerContext, PrepareContext } from '#core/kernel/context.js';
import { defineOperation } from '#core/kernel/operation.js';
import { map, nullable, object, type Schema } from '#core/kernel/schema/schema.js';
import type { ChannelName, TemplateChannel } from '../../../channel.js';
import type { ChannelTemplates } from '../../../templates/channel.js';
import { checkGiven, partsByLocale, requireGuardedPlaces, unionOf } from '../../../templates/check.js';
import { maxLocales, maxTemplates, saveDraft, type DraftInput } from '../../../templates/draft.js';
import { draftFields, readLocales, templateName, variableNames } from '../../../templates/input.js';
import { readLocale } from '../../../templates/locale.js';
import { Template, type TemplateValue } from '../../../templates/resource.js';
import { presentOwn, sourcesOf, templateSubject } from '../../../templates/show.js';
import { requireMayOverride } from '../../../templates/system.js';
import type { TemplateRow } from '../../../templates/tables.js';
import type { Texts } from '../../texts.js';

/** The limits, at the end of the operation's description. */
export const draftLimits = `At most ${maxTemplates} templates per environment and ${maxLocales} locales per template.`;

/** The input `locales`. */
export const localesInput = <Given>(
  { input }: Pick<ChannelTemplates<unknown, unknown, Given>, 'input'>,
  description: string,
): Schema<Record<string, Given | null>> =>
  map(nullable(input), description, { minProperties: 1, maxProperties: maxLocales });

/** `<channel>.template.draft.save`: creates a template, or replaces its draft in the given locales. */
export const templateDraftSave = <Name extends ChannelName, Source, Given>(
  { name, templates }: TemplateChannel<Name, Source, Given>,
  texts: Required<Texts>,
) =>
  defineOperation({
    name: `${name}.template.draft.save`,
    ...texts,
    access: 'secret',
    impact: { retrySafe: true },
    input: object({
      template: templateName,
      locales: localesInput(templates, 'The content by locale (BCP 47 tag).'),
      ...draftFields,
    }),
    output: object({ template: Template, draft: templates.contents, variables: variableNames }),
    errors: ['template_invalid', 'limit_reached'],
    events: [`${templates.name}.template.draft_saved`],
    example: {
      input: { template: templates.example.template.template, locales: { en: templates.example.given } },
      output: {
        template: { ...templates.example.template, hasDraft: true },
        draft: { en: templates.example.source },
        variables: templates.example.template.variables,
      },
    },

    prepareOnlyComputes: true,
    prepare: ({ template, locales }, context) => checkDraft(context, templates, template, locales),

    async handle(input, context) {
      const { hasChanged, ...saved } = await storeDraft(context, templates, { ...input, locales: context.prepared });
      const { template } = saved;
      if (hasChanged)
        context.emit(`${templates.name}.template.draft_saved`, { subjectId: template.template, data: { template } });
      return saved;
    },
  });

/**
 * The given texts by locale, checked. Null removes a locale.
 * @throws invalid_input naming the locale; permission_required, template_invalid, rate_limited
 */
export async function checkDraft<Source, Given>(
  context: Pick<PrepareContext<'secret'>, 'caller' | 'deployment'>,
  templates: ChannelTemplates<Source, unknown, Given>,
  name: string,
  locales: Readonly<Record<string, Given | null>>,
): Promise<DraftInput<Source>['locales']> {
  const system = requireMayOverride(context, templates.name, name, 'draft.save');
  const turns = turnsOf(context.caller.environment);
  const given = readLocales(locales, (texts, field) => templates.read(texts, field));
  const checked = await checkGiven(turns, templates, given);
  if (system) await requireGuardedPlaces(turns, system, partsByLocale(checked));
  return checked;
}

/** A draft to store. `changes`: what else the call has changed, for its audit record. */
interface DraftToStore<Source> {
  readonly template: string;
  readonly locales: DraftInput<Source>['locales'];
  readonly defaultLocale?: string | undefined;
  readonly description?: string | null | undefined;
  readonly ifUnchangedSince?: string | undefined;
  readonly changes?: readonly Change[];
}

/**
 * Saves a draft, and writes the audit record.
 * @returns the template, the texts of its draft by locale, and whether anything changed
 * @throws as `saveDraft`
 */
export async function storeDraft<Source>(
  context: Pick<HandlerContext<'secret'>, 'db' | 'caller' | 'clock' | 'deployment' | 'audit'>,
  templates: ChannelTemplates<Source>,
  { template: name, ifUnchangedSince, changes: others = [], ...input }: DraftToStore<Source>,
): Promise<{ template: TemplateValue; draft: Record<string, Source>; variables: string[]; hasChanged: boolean }> {
  const { db, caller, clock, audit } = context;
  const { locales, description } = input;
  const defaultLocale = readLocale(input.defaultLocale, 'defaultLocale');
  const check = (before: TemplateRow): Promise<void> =>
    requireUnchanged(context, ifUnchangedSince, before, templateSubject(name));
  const draft = { name, locales, defaultLocale, description, check };
  const saved = await saveDraft(db, templates, caller.environment.id, draft, clock.now());
  const { before, after, contents, changedLocales, hasChanged } = saved;
  const template = presentOwn(context, templates, after);
  const fields = ['description', 'defaultLocale', 'hasDraft'] as const;
  const facts = before
    ? changesBetween(presentOwn(context, templates, before), template, fields)
    : newFields(template, fields);
  // Only the names of the locales: the texts are in the draft.
  const texts = changedLocales.length > 0 ? [{ field: 'locales', from: null, to: changedLocales }] : [];
  audit({
    subject: templateSubject(name),
    summary: `${before ? 'Saved a draft of' : 'Created'} the template ${name}.`,
    changes: [...facts, ...texts, ...others],
    unchanged: `the draft of ${name} already had this content.`,
  });
  const variables = unionOf(contents.map((each) => each.variables));
  return { template, draft: sourcesOf(contents), variables, hasChanged };
}
