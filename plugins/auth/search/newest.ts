import { beforeId, cutPage, type PageRequest } from '#core/kernel/schema/paging.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SqlValue, Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';

/*
 * A search lists the newest matches first, but the indexes that it searches are ordered by name and address. If there
 * are few matches, all of their ids are read from those indexes and sorted. If there are many, the rows are read newest
 * first and each is checked, so a page fills quickly.
 */

/** The number of matches from which the rows are read newest first. */
const manyMatches = 2_000;

/** A condition on the rows of a search. */
export interface Condition {
  sql: string;
  parameters: readonly SqlValue[];
}

export const every = (conditions: readonly Condition[]): Condition => ({
  sql: conditions.map(({ sql }) => `(${sql})`).join(' AND '),
  parameters: conditions.flatMap(({ parameters }) => parameters),
});

export const some = (conditions: readonly Condition[]): Condition => ({
  sql: conditions.map(({ sql }) => `(${sql})`).join(' OR '),
  parameters: conditions.flatMap(({ parameters }) => parameters),
});

/**
 * The ids contained in any of several index ranges.
 * @param ranges each selects one column, `id`, and has no LIMIT
 * @returns null if there are too many to sort
 */
export async function fewIds(db: ReadSession, ranges: readonly Statement[]): Promise<Buffer[] | null> {
  const rows = await db.rows<{ id: Buffer }>(
    ranges.map(({ sql }) => `(${sql} LIMIT ${manyMatches + 1})`).join(' UNION ALL '),
    ranges.flatMap(({ parameters }) => parameters),
  );
  if (rows.length > manyMatches) return null;
  return [...new Map(rows.map(({ id }) => [id.toString('hex'), id])).values()];
}

/**
 * One page of the rows with some of these ids, newest first.
 * @param read reads the rows with the given ids that match the search's other conditions, in any order
 */
export async function pageOfIds<R extends { id: string }>(
  ids: readonly Buffer[],
  { before, limit }: PageRequest,
  read: (ids: readonly Buffer[]) => Promise<R[]>,
): Promise<{ rows: R[]; next: string | null }> {
  const from = before === undefined ? undefined : beforeId(before);
  const wanted = ids.filter((id) => from === undefined || id.compare(from) < 0).sort((a, b) => b.compare(a));
  const found: R[] = [];
  for (let start = 0; start < wanted.length && found.length <= limit; start += limit + 1) {
    const rows = await read(wanted.slice(start, start + limit + 1));
    found.push(...rows.sort((a, b) => idBytes(b.id).compare(idBytes(a.id))));
  }
  return cutPage(found, limit);
}
