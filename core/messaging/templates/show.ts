import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SystemTemplate } from '../system-template.js';
import type { ChannelTemplates } from './channel.js';
import { contentsOf } from './draft.js';
import { findTemplate, versionsOf } from './find.js';
import { presentBuiltIn, presentTemplate, type TemplateValue } from './resource.js';
import { systemTemplateOf } from './system.js';
import type { TemplateContentRow, TemplateRow } from './tables.js';

type ReadAccess = Pick<Context, 'deployment'> & { readonly db: ReadSession; readonly caller: TenantCaller };

/** The template with a name, as audit records refer to it. */
export const templateSubject = (name: string): { type: string; id: string } => ({ type: 'template', id: name });

/** The template with a name; null when there is none or it was deleted. */
export async function findLiveTemplate(
  db: Pick<ReadSession, 'prepared'>,
  { tables }: Pick<ChannelTemplates, 'tables'>,
  environmentId: string,
  name: string,
): Promise<TemplateRow | null> {
  const found = await findTemplate(db, tables, environmentId, name);
  return found?.deletedAt ? null : found;
}

export const templateNotFound = (channel: SystemTemplate['channel']): SvcError =>
  refusalOf.not_found({ thing: 'template', lookup: `${channel}.template.list` });

/** A template of the environment as replies and events contain it. */
export const presentOwn = (
  { deployment }: Pick<Context, 'deployment'>,
  { name: channel }: Pick<ChannelTemplates, 'name'>,
  row: TemplateRow,
): TemplateValue => presentTemplate(channel, row, systemTemplateOf(deployment, channel, row.name));

interface ShownTemplate<Source> {
  readonly template: TemplateValue;
  readonly draft: Record<string, Source> | null;
  /** The built-in texts of a system template that nothing replaces. */
  readonly published: Record<string, Source> | null;
  readonly versions: { version: number; publishedAt: string; publishedBy: string }[];
}

/** Contents by locale, as replies hold them. */
export const sourcesOf = <Source>(contents: readonly TemplateContentRow<Source, unknown>[]): Record<string, Source> =>
  Object.fromEntries(contents.map(({ locale, source }) => [locale, source]));

/**
 * A template with its draft and its published version.
 * @param version shown as published; the newest one by default
 * @throws not_found
 */
export async function showTemplate<Source>(
  context: ReadAccess,
  templates: ChannelTemplates<Source>,
  { template: name, version }: { template: string; version?: number },
): Promise<ShownTemplate<Source>> {
  const { db, caller, deployment } = context;
  const row = await findLiveTemplate(db, templates, caller.environment.id, name);
  const system = systemTemplateOf(deployment, templates.name, name);
  const template = row ? presentOwn(context, templates, row) : system && presentBuiltIn(system);
  if (!template) throw templateNotFound(templates.name);
  const found = row ? await versionsOf(db, templates.tables, row, version) : [];
  const wanted = version === undefined ? row?.publishedId : found.find((each) => each.version === version)?.id;
  if (version !== undefined && !wanted)
    throw refusalOf.not_found({
      thing: `version ${version} of the template`,
      lookup: `${templates.name}.template.get`,
    });
  const [draft, published] = await Promise.all([
    row?.hasDraft ? contentsOf(db, templates.tables, row.id) : null,
    wanted ? contentsOf(db, templates.tables, wanted) : null,
  ]);
  const builtIn = wanted ? null : templates.builtIn(deployment, name);
  return {
    template,
    draft: draft && sourcesOf(draft),
    published: published ? sourcesOf(published) : builtIn && { ...builtIn },
    versions: found.map(({ version: number, publishedAt, publishedBy }) => ({
      version: number,
      publishedAt: publishedAt.toISOString(),
      publishedBy,
    })),
  };
}
