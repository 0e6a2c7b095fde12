import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../context.js';

/**
 * Which of `fields` differ between two versions of a row, for the audit record and to skip events when nothing changed. Compares by
 * value, not as JSON text: MySQL reorders the names in a JSON column.
 */
export const changesBetween = <Row extends object, Field extends keyof Row & string>(
  before: Row,
  after: Row,
  fields: readonly Field[],
): Change[] =>
  fields
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => ({ field, from: before[field], to: after[field] }));
