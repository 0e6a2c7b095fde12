import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { idBytes } from '#core/runtime/id.js';
import { invalidField } from '../errors/invalid-field.js';
import { integer, nullable, optional, text, withDefault } from './schema.js';
import { formats } from './formats.js';

/** The input fields of every list: newest first; `before` is the previous reply's `nextBefore`. */
export const page = {
  before: optional(text('The `nextBefore` of the page before this one.', { minLength: 1, maxLength: 64 })),
  limit: withDefault(integer('How many at most.', { minimum: 1, maximum: 100 }), 50),
} as const;

export const nextBefore = nullable(text('Pass it as `before` for the next page; null on the last one.'));

export interface PageRequest {
  before?: string | undefined;
  limit: number;
}

/** @throws invalid_input when `before` is not a value that a list returned */
export function beforeId(before: string): Buffer {
  if (!formats['uuid']?.(before)) throw invalidField('before', 'must be the nextBefore of an earlier page');
  return idBytes(before);
}

/** Reads one page of rows, newest first. Ids are UUIDv7, so their order is the creation order and pages stay stable under writes. */
export async function paged<E extends ObjectLiteral & { id: string }>(
  query: SelectQueryBuilder<E>,
  alias: string,
  { before, limit }: PageRequest,
): Promise<{ rows: E[]; next: string | null }> {
  if (before !== undefined) query.andWhere(`${alias}.id < :before`, { before: beforeId(before) });
  const found = await query
    .orderBy(`${alias}.id`, 'DESC')
    .limit(limit + 1)
    .getMany();
  return cutPage(found, limit);
}

/** Builds a page from rows that were read with `limit` + 1. */
export function cutPage<R extends { id: string }>(
  found: readonly R[],
  limit: number,
): { rows: R[]; next: string | null } {
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}
