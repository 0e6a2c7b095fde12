import type { SqlValue } from './session.js';

/**
 * A relation that one product hands to another, which embeds it whole as a derived table: `FROM (${rows.sql}) people`. The only way in
 * which one product's rows enter another's statement (house.md, Plugins): names and meaning of the columns are the port's promise, what
 * lies beneath them is not.
 */
export interface Rows<Column extends string = string> {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  readonly columns: readonly Column[];
}
