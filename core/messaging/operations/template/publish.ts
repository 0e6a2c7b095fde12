import { changesBetween } from '#core/kernel/audit/changes.js';
import type { HandlerContext, PrepareContext } from '#core/kernel/context.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { defineOperation } from '#core/kernel/operation.js';
import { integer, object } from '#core/kernel/schema/schema.js';
import type { ChannelName, TemplateChannel } from '../../channel.js';
import type { ChannelTemplates } from '../../templates/channel.js';
import { contentsOf } from '../../templates/draft.js';
import { templateKey } from '../../templates/input.js';
import { publishDraft, type CompiledDraft } from '../../templates/publish.js';
import { Template, type TemplateValue } from '../../templates/resource.js';
import { findLiveTemplate, presentOwn, sourcesOf, templateNotFound, templateSubject } from '../../templates/show.js';
import { requireMayOverride } from '../../templates/system.js';
import type { Texts } from '../texts.js';

/** `<channel>.template.publish`: makes the next version of the draft. */
export const templatePublish = <Name extends ChannelName>(
  { name, templates }: TemplateChannel<Name>,
  { description }: Required<Pick<Texts, 'description'>>,
) =>
  defineOperation({
    name: `${name}.template.publish`,
    summary: 'Publishes the draft as the next version.',
    description,
    keywords: 'release live version go',
    access: 'secret',
    impact: { retrySafe: true },
    input: object({ template: templateKey }),
    output: object({ template: Template, version: integer('The published version.') }),
    errors: ['draft_missing', 'changed_meanwhile', 'template_missing_required', 'template_invalid'],
    events: [`${templates.name}.template.published`],
    example: {
      input: { template: templates.example.template.template },
      output: { template: templates.example.template, version: 3 },
    },

    prepare: ({ template: name }, context) => compileDraft(context, templates, name),

    async handle({ template: name }, context) {
      const { prepared: draft, emit } = context;
      if (!draft) return keepPublished(context, templates, name);
      const { template, version, hasChanged } = await publish(context, templates, name, draft);
      if (hasChanged) emit(`${templates.name}.template.published`, { subjectId: name, data: { template, version } });
      return { template, version };
    },
  });

type Reading = Pick<PrepareContext<'secret'>, 'db' | 'caller' | 'deployment' | 'use'>;
type Writing = Pick<HandlerContext<'secret'>, 'db' | 'caller' | 'deployment' | 'clock' | 'audit'>;

/**
 * Reads and compiles the draft. @returns null if there is none and a version is published @throws not_found,
 * draft_missing, permission_required, and as `compile`
 */
async function compileDraft(
  context: Reading,
  templates: ChannelTemplates,
  name: string,
): Promise<CompiledDraft | null> {
  const { db, caller } = context;
  const system = requireMayOverride(context, templates.name, name, 'publish');
  const row = await findLiveTemplate(db, templates, caller.environment.id, name);
  if (!row && !system) throw templateNotFound(templates.name);
  if (!row?.hasDraft) {
    if (row?.publishedVersion) return null;
    throw refusalOf.draft_missing({ thing: `template ${name}`, save: `${templates.name}.template.draft.save` });
  }
  const sources = sourcesOf(await contentsOf(db, templates.tables, row.id));
  return { revision: row.revision, compiled: await templates.compile(context, sources, system) };
}

/** The answer without a draft. @throws not_found */
async function keepPublished(
  context: Writing,
  templates: ChannelTemplates,
  name: string,
): Promise<{ template: TemplateValue; version: number }> {
  const { db, caller, audit } = context;
  const row = await findLiveTemplate(db, templates, caller.environment.id, name);
  if (!row?.publishedVersion) throw templateNotFound(templates.name);
  audit({
    subject: templateSubject(name),
    summary: `Published the template ${name}.`,
    changes: [],
    unchanged: `${name} had no draft, and version ${row.publishedVersion} was published.`,
  });
  return { template: presentOwn(context, templates, row), version: row.publishedVersion };
}

/** @throws changed_meanwhile if the draft has changed since it was compiled */
async function publish(
  context: Writing,
  templates: ChannelTemplates,
  name: string,
  draft: CompiledDraft,
): Promise<{ template: TemplateValue; version: number; hasChanged: boolean }> {
  const { db, caller, clock, audit } = context;
  const facts = { environmentId: caller.environment.id, name, publishedBy: caller.label, now: clock.now() };
  const { before, after, hasChanged } = await publishDraft(db, templates, facts, draft);
  const was = presentOwn(context, templates, before);
  const template = presentOwn(context, templates, after);
  audit({
    subject: templateSubject(name),
    summary: `Published version ${after.lastVersion} of the template ${name}.`,
    changes: changesBetween(was, template, ['publishedVersion', 'hasDraft', 'variables']),
    unchanged: `version ${after.lastVersion} of ${name} was just published with this draft.`,
  });
  return { template, version: after.lastVersion, hasChanged };
}
