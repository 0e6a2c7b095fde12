import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../context.js';

/**
 * Which of `fields` differ between two states of a row, for the audit record and for “nothing changed, so no event”. Compared by
 * value, not as JSON text: MySQL hands a JSON column's names back in an order of its own.
 */
export const changesBetween = <Row extends object, Field extends keyof Row & string>(
  before: Row,
  after: Row,
  fields: readonly Field[],
): Change[] =>
  fields
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => ({ field, from: before[field], to: after[field] }));
