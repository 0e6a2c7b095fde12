import type { SqlValue } from './statement.js';

/**
 * A query that one product offers to another, which embeds it as a derived table: `FROM (${rows.sql}) people`. This is
 * the only way for one product's rows to enter another product's statement (docs/architecture.md, “Products and each
 * other”). The port defines the columns' names and meaning; the tables behind them are not part of it.
 */
export interface Rows<Column extends string = string> {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  readonly columns: readonly Column[];
}
