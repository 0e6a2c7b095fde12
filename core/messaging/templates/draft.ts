import { updateTime } from '#core/kernel/audit/unchanged.js';
import { isDeepStrictEqual } from 'node:util';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { ChannelTemplates } from './channel.js';
import { unionOf } from './check.js';
import { lockTemplate } from './find.js';
import type { TemplateContentRow, TemplateRow, TemplateTables } from './tables.js';

/** Templates of an environment, at most. */
export const maxTemplates = 1_000;
/** Locales of a template, at most. */
export const maxLocales = 60;

/** The content to save. */
export interface DraftInput<Source> {
  readonly name: string;
  /** By canonical BCP 47 tag; null removes a locale. Other locales are unchanged. */
  readonly locales: Readonly<Record<string, { source: Source; variables: readonly string[] } | null>>;
  readonly defaultLocale?: string | undefined;
  readonly description?: string | null | undefined;
  /** Called with the locked template before anything is saved; it throws if the draft may not be saved. */
  readonly check?: (before: TemplateRow) => Promise<void>;
}

/** A template and its draft, before and after. */
export interface SavedDraft<Source> {
  /** Null if the template is new. */
  readonly before: TemplateRow | null;
  readonly after: TemplateRow;
  readonly contents: readonly TemplateContentRow<Source, unknown>[];
  /** The locales whose content was changed or removed. */
  readonly changedLocales: readonly string[];
  /** False if everything was already as wanted. */
  readonly hasChanged: boolean;
}

/** The contents of a draft or version, by locale. */
export async function contentsOf<Source, Compiled>(
  db: Pick<ReadSession, 'rows'>,
  { contents }: Pick<TemplateTables<Source, Compiled>, 'contents'>,
  ownerId: string,
): Promise<TemplateContentRow<Source, Compiled>[]> {
  const rows = await db.rows<object>(
    `SELECT ${contents.columnList()} FROM ${contents.tableName} WHERE owner_id = ? ORDER BY locale`,
    [idBytes(ownerId)],
  );
  return rows.map((row) => contents.decode(row));
}

/**
 * Creates a template, or replaces the draft of one in some locales. A new draft starts from the published version.
 * @throws invalid_input if no locale would be left, or the default locale is not among them; limit_reached
 */
export async function saveDraft<Source>(
  db: Session,
  { name: channelName, tables }: Pick<ChannelTemplates<Source>, 'name' | 'tables'>,
  environmentId: string,
  input: DraftInput<Source>,
  now: Date,
): Promise<SavedDraft<Source>> {
  await lockEnvironment(db, environmentId);
  const found = await lockTemplate(db, tables, environmentId, input.name);
  const before = found?.deletedAt ? null : found;
  if (before) await input.check?.(before);
  else await requireRoom(db, tables, environmentId, channelName);
  const id = found?.id ?? newId();
  const basedOn = before?.hasDraft === true ? before.id : before?.publishedId;
  const base = basedOn ? await contentsOf(db, tables, basedOn) : [];
  const kept = base.filter(({ locale }) => !(locale in input.locales));
  const given = Object.entries(input.locales).flatMap(([locale, content]) =>
    content ? [{ ownerId: id, locale, source: content.source, compiled: null, variables: [...content.variables] }] : [],
  );
  const contents = [...kept.map((row) => ({ ...row, ownerId: id, compiled: null })), ...given].toSorted((a, b) =>
    a.locale < b.locale ? -1 : 1,
  );
  const locales = contents.map(({ locale }) => locale);
  if (locales.length === 0) throw invalidField('locales', 'must leave at least one locale');
  if (locales.length > maxLocales) throw invalidField('locales', `must be at most ${maxLocales} in total`);
  const [first = ''] = Object.keys(input.locales).filter((each) => locales.includes(each));
  const defaultLocale = input.defaultLocale ?? before?.defaultLocale ?? (locales.includes('en') ? 'en' : first);
  if (!locales.includes(defaultLocale))
    throw invalidField('defaultLocale', `must be one of the template’s locales (${locales.join(', ')})`);
  const variables = unionOf(contents.map((each) => each.variables));
  const changedLocales = changesOf(base, contents);
  const after: TemplateRow = {
    id,
    environmentId,
    name: input.name,
    description: input.description === undefined ? (before?.description ?? null) : input.description,
    defaultLocale,
    hasDraft: true,
    variables: before?.publishedId ? before.variables : variables,
    publishedId: before?.publishedId ?? null,
    publishedVersion: before?.publishedVersion ?? null,
    lastVersion: found?.lastVersion ?? 0,
    firstVersion: found?.firstVersion ?? 1,
    revision: (found?.revision ?? 0) + 1,
    createdAt: found?.createdAt ?? now,
    updatedAt: found ? updateTime(found, now) : now,
    deletedAt: null,
  };
  const hasChanged =
    before?.hasDraft !== true ||
    changedLocales.length > 0 ||
    before.defaultLocale !== after.defaultLocale ||
    before.description !== after.description;
  if (!hasChanged) return { before, after: before, contents, changedLocales, hasChanged };
  await db.remove(tables.contents, { ownerId: id });
  const stored = tables.contents.insertRows(contents);
  await db.run(stored);
  const row = found ? tables.templates.updateRow({ id }, after) : tables.templates.insertRows([after]);
  await db.run(row);
  return { before, after, contents, changedLocales, hasChanged };
}

async function requireRoom(
  db: Session,
  { templates }: Pick<TemplateTables<unknown, unknown>, 'templates'>,
  environmentId: string,
  channelName: string,
): Promise<void> {
  const [row] = await db.rows<{ count: number }>(
    `SELECT COUNT(*) AS count FROM ${templates.tableName} WHERE environment_id = ? AND deleted_at IS NULL`,
    [idBytes(environmentId)],
  );
  if ((row?.count ?? 0) < maxTemplates) return;
  throw refusalOf.limit_reached({
    limit: maxTemplates,
    things: 'templates in this environment',
    nextStep: `Delete templates that are no longer used with ${channelName}.template.delete.`,
  });
}

type Contents = readonly { readonly locale: string; readonly source: unknown }[];

/** The locales that differ between two lists of contents. */
function changesOf(before: Contents, after: Contents): string[] {
  const [old, current] = [before, after].map((rows) => new Map(rows.map(({ locale, source }) => [locale, source])));
  return [...new Set([...before, ...after].map(({ locale }) => locale))].filter(
    (locale) => !isDeepStrictEqual(old?.get(locale), current?.get(locale)),
  );
}
