import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { invalidField } from '../errors/invalid-field.js';
import { integer, nullable, optional, text, withDefault } from './schema.js';
import { formats } from './formats.js';
import { walk } from './validation/walk.js';

/** The input fields of every list: newest first; `before` is the previous reply's `nextBefore`. */
export const page = {
  before: optional(text('The `nextBefore` of the page before this one.', { minLength: 1, maxLength: 64 })),
  limit: withDefault(integer('How many at most.', { minimum: 1, maximum: 100 }), 50),
} as const;

export const nextBefore = nullable(
  text(
    'Pass it as `before` for the next page; null on the last one. A page may hold fewer than `limit`, or nothing if a filter matches rarely, and not be the last one: a call looks for a limited time.',
  ),
);

export interface PageRequest {
  before?: string | undefined;
  limit: number;
}

/** @throws invalid_input if `before` is not a value that a list returned */
export function beforeId(before: string): Buffer {
  if (!formats['uuid']?.(before)) throw invalidField('before', 'must be the nextBefore of an earlier page');
  return idBytes(before);
}

/** The next ids, newest first, of rows that another table's index finds, such as those of messages with a tag. */
export type NextIds = (before: Buffer | undefined, count: number) => Promise<readonly Buffer[]>;

/**
 * Reads one page of rows, newest first. Ids are UUIDv7, so their order is the creation order and pages stay stable
 * under writes.
 *
 * `query.where(…)` contains the conditions that one index serves in the order of ids. Conditions added by
 * `query.andWhere(…)` are checked on at most 20,000 rows: a page that is not full by then still has a `next`.
 * @param along that index, or, if the index of another table serves a condition instead, the ids that it finds
 * @throws invalid_input if `before` is not a value that a list returned
 */
export async function paged<E extends ObjectLiteral & { id: string }>(
  query: SelectQueryBuilder<E>,
  alias: string,
  along: string | NextIds,
  { before, limit }: PageRequest,
): Promise<{ rows: E[]; next: string | null }> {
  const from = before === undefined ? undefined : beforeId(before);
  if (typeof along !== 'string') return pageOfNextIds(along, query, alias, { from, limit });
  const isFiltered = query.expressionMap.wheres.length > 1;
  const read = (after: Buffer | undefined, to: Buffer | undefined, count: number): Promise<E[]> => {
    const part = forcedIndex(query.clone(), along);
    if (after) part.andWhere(`${alias}.id < :after`, { after });
    if (to) part.andWhere(`${alias}.id >= :to`, { to });
    return part.orderBy(`${alias}.id`, 'DESC').limit(count).getMany();
  };
  if (!isFiltered) return cutPage(await read(from, undefined, limit + 1), limit);
  const keyAfter = async (after: Buffer | undefined, count: number): Promise<Buffer | undefined> => {
    const index = forcedIndex(query.clone(), along);
    index.expressionMap.wheres = index.expressionMap.wheres.slice(0, 1);
    if (after) index.andWhere(`${alias}.id < :after`, { after });
    const last = index
      .select(`${alias}.id`, 'id')
      .orderBy(`${alias}.id`, 'DESC')
      .offset(count - 1)
      .limit(1);
    return (await last.getRawOne<{ id: Buffer }>())?.id;
  };
  const { rows, stoppedAt } = await walk({ keyAfter, read }, from, limit + 1);
  return cutPage(rows, limit, stoppedAt);
}

/**
 * Makes a query read along an index, regardless of what the optimiser considers cheaper. For a table with fewer than
 * about 100,000 rows, the optimiser would read the index from its start for each part of a list. TypeORM writes USE
 * INDEX, which does not prevent that.
 */
function forcedIndex<E extends ObjectLiteral>(query: SelectQueryBuilder<E>, index: string): SelectQueryBuilder<E> {
  query.useIndex(index);
  const build = query.getQueryAndParameters.bind(query);
  query.getQueryAndParameters = () => {
    const [sql, parameters] = build();
    return [sql.replace(' USE INDEX (', ' FORCE INDEX ('), parameters];
  };
  return query;
}

/**
 * The same for plain SQL: one page of rows that pass a filter, newest first, along an index range that has the order of
 * ids.
 * @param range `FROM` and `WHERE` of that index range, whose id is the column `id`; without the filter
 * @param read the first `limit` rows that pass the filter, newest first, with an id below `after` and not below `to`
 */
export async function pageAlong<R extends { id: string }>(
  db: Pick<ReadSession, 'rows'>,
  range: {
    readonly from: string;
    readonly where: string;
    readonly id?: string;
    readonly parameters: readonly SqlValue[];
    readonly isFiltered?: boolean;
  },
  { before, limit }: PageRequest,
  read: (bounds: IdBounds, limit: number) => Promise<readonly R[]>,
): Promise<{ rows: R[]; next: string | null }> {
  const { from, where, id = 'id', parameters, isFiltered = true } = range;
  const start = before === undefined ? undefined : beforeId(before);
  const bounds = (after: Buffer | undefined, to: Buffer | undefined): IdBounds => ({
    sql: `${after ? ` AND ${id} < ?` : ''}${to ? ` AND ${id} >= ?` : ''}`,
    parameters: [...(after ? [after] : []), ...(to ? [to] : [])],
  });
  if (!isFiltered) return cutPage(await read(bounds(start, undefined), limit + 1), limit);
  const { rows, stoppedAt } = await walk<R, Buffer>(
    {
      async keyAfter(after, count) {
        const part = bounds(after, undefined);
        const [row] = await db.rows<{ id: Buffer }>(
          `SELECT ${id} AS id FROM ${from} WHERE ${where}${part.sql} ORDER BY ${id} DESC LIMIT 1 OFFSET ?`,
          [...parameters, ...part.parameters, count - 1],
        );
        return row?.id;
      },
      read: (after, to, count) => read(bounds(after, to), count),
    },
    start,
    limit + 1,
  );
  return cutPage(rows, limit, stoppedAt);
}

/** Conditions on the ids of a part of a list, to be added to others. */
interface IdBounds {
  readonly sql: string;
  readonly parameters: readonly Buffer[];
}

/** Ids that are looked up at once, and of one page at most: each costs a lookup by the primary key. */
const idsPerStep = [200, 1_000, 4_000];

async function pageOfNextIds<E extends ObjectLiteral & { id: string }>(
  nextIds: NextIds,
  query: SelectQueryBuilder<E>,
  alias: string,
  { from, limit }: { from: Buffer | undefined; limit: number },
): Promise<{ rows: E[]; next: string | null }> {
  const rows: E[] = [];
  let last = from;
  for (const count of idsPerStep) {
    const ids = await nextIds(last, count);
    last = ids.at(-1);
    const part = forcedIndex(query.clone(), 'PRIMARY').andWhere(`${alias}.id IN (:...ids)`, { ids });
    if (ids.length > 0)
      rows.push(
        ...(await part
          .orderBy(`${alias}.id`, 'DESC')
          .limit(limit + 1 - rows.length)
          .getMany()),
      );
    if (ids.length < count) return cutPage(rows, limit);
    if (rows.length > limit) break;
  }
  return cutPage(rows, limit, last);
}

/**
 * Builds a page from rows that were read with `limit` + 1.
 * @param stoppedAt the last id that was examined, if fewer rows were found although more may be left
 */
export function cutPage<R extends { id: string }>(
  found: readonly R[],
  limit: number,
  stoppedAt?: Buffer,
): { rows: R[]; next: string | null } {
  const rows = found.slice(0, limit);
  if (found.length > limit) return { rows, next: rows.at(-1)?.id ?? null };
  return { rows, next: stoppedAt ? idText(stoppedAt) : null };
}
