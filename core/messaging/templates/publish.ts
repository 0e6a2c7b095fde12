import { refusalOf } from '#core/kernel/errors/common.js';
import type { Session } from '#core/runtime/database/session.js';
import { newId } from '#core/runtime/id.js';
import type { ChannelTemplates } from './channel.js';
import { unionOf } from './check.js';
import { contentsOf } from './draft.js';
import { lockTemplate } from './find.js';
import type { Locales, TemplateRow } from './tables.js';

/** A draft that was compiled before the transaction. */
export interface CompiledDraft {
  /** The template's `revision` when its draft was read. */
  readonly revision: number;
  readonly compiled: Locales<unknown>;
}

interface Published {
  readonly before: TemplateRow;
  readonly after: TemplateRow;
  /** False if another call had just published the same draft. */
  readonly hasChanged: boolean;
}

/**
 * Publishes the draft as the template's next version, and removes the draft. Of several calls that publish one draft at
 * once, one does, and the others change nothing.
 * @param template the template's name
 * @param publishedBy a key's name or a member's address
 * @throws changed_meanwhile if the draft changed after it was compiled
 */
export async function publishDraft(
  db: Session,
  { tables }: Pick<ChannelTemplates, 'tables'>,
  { environmentId, name, publishedBy, now }: { environmentId: string; name: string; publishedBy: string; now: Date },
  draft: CompiledDraft,
): Promise<Published> {
  const before = await lockTemplate(db, tables, environmentId, name);
  if (before?.publishedId && !before.hasDraft && before.revision === draft.revision + 1)
    return { before, after: before, hasChanged: false };
  if (!before?.hasDraft || before.revision !== draft.revision)
    throw refusalOf.changed_meanwhile({
      thing: 'draft',
      at: (before?.updatedAt ?? now).toISOString(),
      by: '',
      nextStep: 'then publish it.',
      details: { updatedAt: (before?.updatedAt ?? now).toISOString(), changedBy: null, activityId: null },
    });
  const sources = await contentsOf(db, tables, before.id);
  const version = before.lastVersion + 1;
  const variables = unionOf(sources.map((each) => each.variables));
  const id = newId();
  const row = tables.versions.insertRows([
    {
      id,
      templateId: before.id,
      environmentId,
      version,
      defaultLocale: before.defaultLocale,
      locales: sources.map(({ locale }) => locale),
      variables,
      publishedAt: now,
      publishedBy,
    },
  ]);
  const contents = tables.contents.insertRows(
    sources.map((source) => ({ ...source, ownerId: id, compiled: draft.compiled[source.locale] ?? null })),
  );
  const after: TemplateRow = {
    ...before,
    hasDraft: false,
    variables,
    publishedId: id,
    publishedVersion: version,
    lastVersion: version,
    revision: before.revision + 1,
    updatedAt: now,
  };
  await db.run(row);
  await db.run(contents);
  await db.remove(tables.contents, { ownerId: before.id });
  const update = tables.templates.updateRow({ id: before.id }, after);
  await db.run(update);
  return { before, after, hasChanged: true };
}
