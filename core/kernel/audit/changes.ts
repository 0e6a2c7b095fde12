import { isDeepStrictEqual } from 'node:util';
import type { AuditEntry, Change } from '../context.js';

/**
 * Replaces a value that an audit record must not contain: a secret, or personal data that an erasure would not find
 * there.
 */
export const withheld = '(withheld)';

/**
 * Which of `fields` differ between two versions of a row, for the audit record and to skip events when nothing changed.
 * Compares by value, not as JSON text: MySQL reorders the names in a JSON column.
 */
export const changesBetween = <Row extends object, Field extends keyof Row & string>(
  before: Row,
  after: Row,
  fields: readonly Field[],
): Change[] =>
  fields
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => ({ field, from: before[field], to: after[field] }));

/** The fields of a new object that have a value. */
export const newFields = <Row extends object, Field extends keyof Row & string>(
  after: Row,
  fields: readonly Field[],
): Change[] =>
  fields
    .filter((field) => after[field] !== null && after[field] !== undefined)
    .map((field) => ({ field, from: null, to: after[field] }));

/** The line of an audit record: for a write that changed nothing, it states that. */
export const summaryOf = ({ summary, changes, unchanged }: AuditEntry): string =>
  changes?.length === 0 ? `Nothing changed: ${unchanged ?? 'everything was already as requested.'}` : summary;
