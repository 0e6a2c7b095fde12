import { pageAlong, type PageRequest } from '#core/kernel/schema/paging.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { searchKey, startsWith } from '../search/key.js';
import { every, fewIds, pageOfIds, some, type Condition } from '../search/newest.js';
import { organizations, type OrganizationRow } from '../tables/organization.js';

async function readOrganizations(
  db: ReadSession,
  conditions: readonly Condition[],
  end: { sql: string; parameters: readonly SqlValue[] } = { sql: '', parameters: [] },
): Promise<OrganizationRow[]> {
  const { sql, parameters } = every(conditions);
  const rows = await db.rows<object>(
    `SELECT ${organizations.columnList()} FROM auth_organization WHERE ${sql}${end.sql}`,
    [...parameters, ...end.parameters],
  );
  return rows.map((row) => organizations.decode(row));
}

/** One page of an environment's organizations, newest first: all, or those whose name or slug begins with the query. */
export async function organizationPage(
  db: ReadSession,
  environmentId: string,
  query: string | undefined,
  page: PageRequest,
): Promise<{ rows: OrganizationRow[]; next: string | null }> {
  const own: Condition = { sql: 'environment_id = ?', parameters: [idBytes(environmentId)] };
  const name = query === undefined ? '' : searchKey(query);
  const prefixes = query === undefined ? [] : matches(query.toLowerCase().trim(), name);
  if (prefixes.length > 0) {
    const few = await fewIds(
      db,
      prefixes.map(({ index, condition }) => {
        const { sql, parameters } = every([own, condition]);
        return { sql: `SELECT id FROM auth_organization FORCE INDEX (${index}) WHERE ${sql}`, parameters };
      }),
    );
    if (few)
      return pageOfIds(few, page, (ids) => readOrganizations(db, [own, { sql: 'id IN (?)', parameters: [ids] }]));
  }
  const range = { from: 'auth_organization FORCE INDEX (environment)', where: own.sql, parameters: own.parameters };
  return pageAlong(db, range, page, (bounds, limit) =>
    readOrganizations(db, [own, ...(prefixes.length === 0 ? [] : [some(prefixes.map(({ condition }) => condition))])], {
      sql: `${bounds.sql} ORDER BY id DESC LIMIT ?`,
      parameters: [...bounds.parameters, limit],
    }),
  );
}

const matches = (slug: string, name: string): { index: string; condition: Condition }[] => [
  { index: 'slug', condition: startsWith('slug', slug) },
  ...(name === '' ? [] : [{ index: 'name_key', condition: startsWith('name_key', name) }]),
];
