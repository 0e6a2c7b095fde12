import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { Locales, TemplateTables, TemplateVersionRow } from './tables.js';

/** A template by its name; without a version, this means the published one. */
export interface TemplateRef {
  readonly name: string;
  readonly version?: number | undefined;
}

/** A published version, without its contents. */
export interface PublishedTemplate {
  readonly templateId: string;
  readonly versionId: string;
  readonly name: string;
  readonly version: number;
  readonly defaultLocale: string;
  readonly locales: readonly string[];
  /** The variables it uses, such as `order.number`. Not all must be supplied: a text may give a default. */
  readonly variables: readonly string[];
}

/** A published version with its contents, as messages are rendered from it. */
export interface TemplateVersion<Compiled> extends PublishedTemplate {
  readonly contents: Locales<Compiled>;
}

type Tables<Compiled> = TemplateTables<unknown, Compiled>;

/**
 * The published version of a template, or one that was published before.
 * @returns null if the environment has no such template, or it has no such version
 */
export async function findPublishedTemplate(
  db: Pick<ReadSession, 'rows'>,
  tables: Tables<unknown>,
  environmentId: string,
  name: string,
  version?: number,
): Promise<PublishedTemplate | null> {
  const [found] = await findPublishedTemplates(db, tables, environmentId, [{ name, version }]);
  return found ?? null;
}

/**
 * Like `findPublishedTemplate`, for many templates together.
 * @returns one result per reference, in their order
 */
export async function findPublishedTemplates(
  db: Pick<ReadSession, 'rows'>,
  { templates, versions }: Tables<unknown>,
  environmentId: string,
  refs: readonly TemplateRef[],
): Promise<(PublishedTemplate | null)[]> {
  const names = [...new Set(refs.map(({ name }) => name))];
  const numbers = [...new Set(refs.flatMap(({ version }) => version ?? []))];
  if (names.length === 0) return [];
  const rows = await db.rows<{ name: Buffer; published: Buffer | null }>(
    `SELECT t.name, t.published_id AS published, ${versions.columnList('v')}
     FROM ${templates.tableName} t JOIN ${versions.tableName} v ON v.template_id = t.id
     WHERE t.environment_id = ? AND t.name IN (?) AND t.deleted_at IS NULL
       AND (v.id = t.published_id OR (v.version IN (?) AND v.version >= t.first_version))`,
    [idBytes(environmentId), names.map((each) => Buffer.from(each)), numbers.length > 0 ? numbers : [0]],
  );
  const found = rows.map(({ name, published, ...rest }) => {
    const row = versions.decode(rest);
    return { template: presentVersion(name.toString(), row), isPublished: published?.equals(idBytes(row.id)) === true };
  });
  return refs.map(({ name, version }) => {
    const match = found.find(
      ({ template, isPublished }) =>
        template.name === name && (version === undefined ? isPublished : template.version === version),
    );
    return match?.template ?? null;
  });
}

const presentVersion = (name: string, row: TemplateVersionRow): PublishedTemplate => ({
  templateId: row.templateId,
  versionId: row.id,
  name,
  version: row.version,
  defaultLocale: row.defaultLocale,
  locales: row.locales,
  variables: row.variables,
});

/** Reads versions with their contents. */
export interface VersionLoader<Compiled> {
  /**
   * Versions by id. A version that was read before is in memory, because versions never change. A version stays
   * readable after its template was deleted, for messages that were queued before.
   * @returns by id; those that do not exist are absent
   */
  load(
    db: Pick<ReadSession, 'rows'>,
    versionIds: readonly string[],
  ): Promise<ReadonlyMap<string, TemplateVersion<Compiled>>>;
}

/** The maximum total size of versions in memory, in characters. */
const budget = 16_000_000;

interface Entry<Compiled> {
  version: TemplateVersion<Compiled>;
  cost: number;
}

/** @param sizeOf the number of characters of a content */
export function createVersionLoader<Compiled>(
  { templates, versions, contents }: Tables<Compiled>,
  sizeOf: (content: Compiled) => number,
): VersionLoader<Compiled> {
  const entries = new Map<string, Entry<Compiled>>();
  let used = 0;

  const remember = (version: TemplateVersion<Compiled>): void => {
    const known = entries.get(version.versionId);
    const cost = Object.values(version.contents).reduce((sum, content) => sum + sizeOf(content), 1_000);
    used += cost - (known?.cost ?? 0);
    entries.delete(version.versionId);
    entries.set(version.versionId, { version, cost });
    for (const [id, entry] of entries) {
      if (used <= budget || entries.size === 1) break;
      entries.delete(id);
      used -= entry.cost;
    }
  };

  const read = async (db: Pick<ReadSession, 'rows'>, ids: readonly string[]): Promise<TemplateVersion<Compiled>[]> => {
    const key = ids.map(idBytes);
    const [versionRows, contentRows] = await Promise.all([
      db.rows<{ name: Buffer }>(
        `SELECT t.name, ${versions.columnList('v')} FROM ${versions.tableName} v
         JOIN ${templates.tableName} t ON t.id = v.template_id WHERE v.id IN (?)`,
        [key],
      ),
      db.rows<object>(`SELECT ${contents.columnList()} FROM ${contents.tableName} WHERE owner_id IN (?)`, [key]),
    ]);
    const rows = contentRows.map((row) => contents.decode(row));
    return versionRows.map(({ name, ...rest }) => {
      const row = versions.decode(rest);
      const own = rows.flatMap(({ ownerId, locale, compiled }) =>
        ownerId === row.id && compiled !== null ? [[locale, compiled] as const] : [],
      );
      return { ...presentVersion(name.toString(), row), contents: Object.fromEntries(own) };
    });
  };

  return {
    async load(db, versionIds) {
      const known = versionIds.flatMap((id) => entries.get(id)?.version ?? []);
      const absent = [...new Set(versionIds)].filter((id) => !entries.has(id));
      const loaded = absent.length > 0 ? await read(db, absent) : [];
      const all = [...known, ...loaded];
      all.forEach(remember);
      return new Map(all.map((version) => [version.versionId, version]));
    },
  };
}
