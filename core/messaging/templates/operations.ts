import { requireUnchanged } from '#core/kernel/audit/unchanged.js';
import { changesBetween, newFields } from '#core/kernel/audit/changes.js';
import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { Change, Context } from '#core/kernel/context.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { messagingRefusalOf } from '../errors.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import type { SystemTemplate } from '../system-template.js';
import { describeReferences } from '../references.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { References } from './references.js';
import type { TemplateDriver } from './driver.js';
import { unionOf } from './check.js';
import { contentsOf, saveDraft, type DraftInput } from './draft.js';
import { findTemplate, lockTemplate, versionsOf } from './find.js';
import { publishDraft, type CompiledDraft } from './publish.js';
import { presentBuiltIn, presentTemplate, type TemplateValue } from './resource.js';
import { requireMayOverride, systemTemplateOf } from './system.js';
import type { TemplateContentRow, TemplateRow } from './tables.js';

/*
 * The implementation of the template operations of all channels. They write the audit record; the operation writes its
 * channel's event.
 */

type ReadAccess = Pick<Context, 'deployment'> & { readonly db: ReadSession; readonly caller: TenantCaller };
type WriteAccess = Pick<Context, 'db' | 'clock' | 'deployment' | 'audit'> & { readonly caller: TenantCaller };
type AnyDriver = TemplateDriver<unknown, unknown>;

const subjectOf = (name: string): { type: string; id: string } => ({ type: 'template', id: name });

/** The template with a name; null when there is none or it was deleted. */
export async function findLiveTemplate(
  db: Pick<ReadSession, 'prepared'>,
  { tables }: Pick<AnyDriver, 'tables'>,
  environmentId: string,
  name: string,
): Promise<TemplateRow | null> {
  const found = await findTemplate(db, tables, environmentId, name);
  return found?.deletedAt ? null : found;
}

export const templateNotFound = (channel: SystemTemplate['channel']): SvcError =>
  refusalOf.not_found({ thing: 'template', lookup: `${channel}.template.list` });

const present = (
  { deployment }: Pick<Context, 'deployment'>,
  { name: channel }: Pick<AnyDriver, 'name'>,
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
const sourcesOf = <Source>(contents: readonly TemplateContentRow<Source, unknown>[]): Record<string, Source> =>
  Object.fromEntries(contents.map(({ locale, source }) => [locale, source]));

/**
 * A template with its draft and its published version.
 * @param version shown as published; the newest one by default
 * @throws not_found
 */
export async function showTemplate<Source>(
  context: ReadAccess,
  driver: TemplateDriver<Source, unknown>,
  { template: name, version }: { template: string; version?: number },
): Promise<ShownTemplate<Source>> {
  const { db, caller, deployment } = context;
  const row = await findLiveTemplate(db, driver, caller.environment.id, name);
  const system = systemTemplateOf(deployment, driver.name, name);
  const template = row ? present(context, driver, row) : system && presentBuiltIn(system);
  if (!template) throw templateNotFound(driver.name);
  const found = row ? await versionsOf(db, driver.tables, row, version) : [];
  const wanted = version === undefined ? row?.publishedId : found.find((each) => each.version === version)?.id;
  if (version !== undefined && !wanted)
    throw refusalOf.not_found({ thing: `version ${version} of the template`, lookup: `${driver.name}.template.get` });
  const [draft, published] = await Promise.all([
    row?.hasDraft ? contentsOf(db, driver.tables, row.id) : null,
    wanted ? contentsOf(db, driver.tables, wanted) : null,
  ]);
  const builtIn = wanted ? null : driver.builtIn(deployment, name);
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

/** Pictures that were stored with a draft. */
interface SavedImages {
  readonly images?: readonly { readonly name: string; readonly url: string }[];
}

const imageChanges = (images: SavedImages['images'] = []): Change[] =>
  images.length === 0 ? [] : [{ field: 'images', from: null, to: images.map(({ name, url }) => ({ name, url })) }];

/**
 * Writes the audit record of pictures that were stored for a template whose draft stays as it is.
 * @returns as `saveTemplateDraft`
 * @throws not_found
 */
export async function keepTemplateDraft<Source>(
  context: WriteAccess,
  driver: TemplateDriver<Source, unknown>,
  { name, images }: SavedImages & { readonly name: string },
): Promise<{ template: TemplateValue; draft: Record<string, Source>; variables: string[] }> {
  const { template, draft, published } = await showTemplate(context, driver, { template: name });
  context.audit({
    subject: subjectOf(name),
    summary: `Stored pictures for the template ${name}.`,
    changes: imageChanges(images),
  });
  return { template, draft: draft ?? published ?? {}, variables: [...template.variables] };
}

/**
 * Saves a draft. @returns the template, the texts of its draft by locale, and whether anything changed @throws as
 * `saveDraft`
 */
export async function saveTemplateDraft<Source>(
  context: WriteAccess,
  driver: TemplateDriver<Source, unknown>,
  input: Omit<DraftInput<Source>, 'check'> & SavedImages & { readonly ifUnchangedSince?: string | undefined },
): Promise<{
  template: TemplateValue;
  draft: Record<string, Source>;
  variables: string[];
  hasChanged: boolean;
}> {
  const { db, caller, clock, audit } = context;
  const { name, ifUnchangedSince: since, images = [], ...draft } = input;
  const check = (before: TemplateRow): Promise<void> => requireUnchanged(context, since, before, subjectOf(name));
  const saved = await saveDraft(db, driver, caller.environment.id, { ...draft, name, check }, clock.now());
  const { before, after, contents, changedLocales, hasChanged } = saved;
  const template = present(context, driver, after);
  const fields = ['description', 'defaultLocale', 'hasDraft'] as const;
  const facts = before
    ? changesBetween(present(context, driver, before), template, fields)
    : newFields(template, fields);
  // Only the names of the locales: the texts are in the draft.
  const texts = changedLocales.length > 0 ? [{ field: 'locales', from: null, to: changedLocales }] : [];
  audit({
    subject: subjectOf(name),
    summary: `${before ? 'Saved a draft of' : 'Created'} the template ${name}.`,
    changes: [...facts, ...texts, ...imageChanges(images)],
    unchanged: `the draft of ${name} already had this content.`,
  });
  const variables = unionOf(contents.map((each) => each.variables));
  return { template, draft: sourcesOf(contents), variables, hasChanged };
}

/**
 * The data that sms.template.publish and email.template.publish read before their transaction.
 * @returns the draft's row and texts by locale; null if a version is published and no draft exists
 * @throws not_found, draft_missing, permission_required
 */
export async function readDraft<Source>(
  { db, deployment, caller }: ReadAccess,
  driver: TemplateDriver<Source, unknown>,
  name: string,
): Promise<{ row: TemplateRow; sources: Record<string, Source>; system: SystemTemplate | undefined } | null> {
  const system = requireMayOverride({ deployment, caller }, driver.name, name, 'publish');
  const row = await findLiveTemplate(db, driver, caller.environment.id, name);
  if (!row && !system) throw templateNotFound(driver.name);
  if (!row?.hasDraft) {
    if (row?.publishedVersion) return null;
    throw refusalOf.draft_missing({ thing: `template ${name}`, save: `${driver.name}.template.draft.save` });
  }
  const contents = await contentsOf(db, driver.tables, row.id);
  return { row, system, sources: sourcesOf(contents) };
}

/**
 * Publishes a draft.
 * @param draft null if there is none and a version is published: nothing changes
 * @throws changed_meanwhile if the draft has changed in the meantime
 */
export async function publishTemplate<Source, Compiled>(
  context: WriteAccess,
  driver: TemplateDriver<Source, Compiled>,
  name: string,
  draft: CompiledDraft<Compiled> | null,
): Promise<{ template: TemplateValue; version: number; hasChanged: boolean }> {
  const { db, caller, clock, audit } = context;
  const environmentId = caller.environment.id;
  if (!draft) {
    const row = await findLiveTemplate(db, driver, environmentId, name);
    if (!row?.publishedVersion) throw templateNotFound(driver.name);
    audit({
      subject: subjectOf(name),
      summary: `Published the template ${name}.`,
      changes: [],
      unchanged: `${name} had no draft, and version ${row.publishedVersion} was published.`,
    });
    return { template: present(context, driver, row), version: row.publishedVersion, hasChanged: false };
  }
  const facts = { environmentId, name, publishedBy: caller.label, now: clock.now() };
  const { before, after, hasChanged } = await publishDraft(db, driver, facts, draft);
  const template = present(context, driver, after);
  audit({
    subject: subjectOf(name),
    summary: `Published version ${after.lastVersion} of the template ${name}.`,
    changes: changesBetween(present(context, driver, before), template, ['publishedVersion', 'hasDraft', 'variables']),
    unchanged: `version ${after.lastVersion} of ${name} was just published with this draft.`,
  });
  return { template, version: after.lastVersion, hasChanged };
}

/**
 * Deletes a template, or restores the built-in texts of a system template. The name of a deleted template can be used
 * again, and version numbers continue.
 * @param references the references on the channel
 * @throws not_found, template_in_use, permission_required
 */
export async function deleteTemplate(
  context: WriteAccess,
  driver: AnyDriver,
  { referencesTo }: Pick<References<'template'>, 'referencesTo'>,
  name: string,
): Promise<{ template: TemplateValue; hasChanged: boolean }> {
  const { db, caller, clock, deployment, audit } = context;
  const system = requireMayOverride({ deployment, caller }, driver.name, name, 'delete');
  const before = await lockTemplate(db, driver.tables, caller.environment.id, name);
  if (!before && !system) throw templateNotFound(driver.name);
  if (!before || before.deletedAt) {
    audit({
      subject: subjectOf(name),
      summary: `Deleted the template ${name}.`,
      changes: [],
      unchanged: system ? `${name} already had its built-in content.` : `the template ${name} was already deleted.`,
    });
    if (system) return { template: presentBuiltIn(system), hasChanged: false };
    if (!before) throw templateNotFound(driver.name);
    return { template: present(context, driver, before), hasChanged: false };
  }
  // Built-in texts replace a system template, so nothing that is referred to is lost.
  const references = system ? [] : await referencesTo(db, [caller.environment.id], { kind: 'template', target: name });
  if (references.length > 0)
    throw messagingRefusalOf.template_in_use({ template: name, users: describeReferences(references) });
  const now = clock.now();
  // Versions stay readable by id, for messages that were queued before.
  const after: TemplateRow = {
    ...before,
    hasDraft: false,
    publishedId: null,
    publishedVersion: null,
    firstVersion: before.lastVersion + 1,
    revision: before.revision + 1,
    updatedAt: now,
    deletedAt: now,
  };
  await db.remove(driver.tables.contents, { ownerId: before.id });
  await db.run(driver.tables.templates.updateRow({ id: before.id }, after));
  const template = system ? presentBuiltIn(system) : present(context, driver, after);
  audit({
    subject: subjectOf(name),
    summary: system ? `Reset the system template ${name} to its built-in content.` : `Deleted the template ${name}.`,
    changes: changesBetween(present(context, driver, before), template, ['publishedVersion', 'hasDraft']),
  });
  return { template, hasChanged: true };
}
