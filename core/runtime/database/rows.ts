import type { SqlValue } from './session.js';

/**
 * A query that one product offers to another, which embeds it as a derived table: `FROM (${rows.sql}) people`. This is
 * the only way in which one product's rows enter another's statement (docs/architecture.md, “Products and each other”).
 * The port defines the columns' names and meaning; the tables behind them are not part of it.
 */
export interface Rows<Column extends string = string> {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  readonly columns: readonly Column[];
}
