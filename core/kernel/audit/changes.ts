import type { Change } from '../context.js';

/** Which of `fields` differ between two states of a row, for the audit record and for “nothing changed, so no event”. */
export const changesBetween = <Row extends object, Field extends keyof Row & string>(before: Row, after: Row, fields: readonly Field[]): Change[] =>
  fields
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, from: before[field], to: after[field] }));
