import { rememberByText } from './remember-by-text.js';
import type { Database, Session } from './session.js';

/** How long one statement of a call that only reads may take. */
export const readSeconds = 5;

/** Gives each SELECT of a text a time limit, after which the server ends it (see isStatementTimeout). */
export type LimitTime = (sql: string) => string;

/** The start of each statement of a text that reads. */
const starts = /(^|;\n)(\s*(?:\(\s*)*)SELECT\b/gi;

/** MariaDB takes the limit in front of the statement, MySQL as a hint in its first SELECT. */
export function timeLimit(flavour: Database['flavour'], seconds: number): LimitTime {
  const limited =
    flavour === 'mariadb'
      ? `$1SET STATEMENT max_statement_time=${seconds} FOR $2SELECT`
      : `$1$2SELECT /*+ MAX_EXECUTION_TIME(${seconds * 1000}) */`;
  return rememberByText((sql) => sql.replace(starts, limited));
}

/** The session with a time limit for each SELECT of `rows` and `prepared`. */
export function withTimeLimit<S extends Session>(session: S, flavour: Database['flavour'], seconds: number): S {
  const limited = timeLimit(flavour, seconds);
  return {
    ...session,
    rows: (sql, parameters) => session.rows(limited(sql), parameters),
    prepared: (sql, parameters) => session.prepared(limited(sql), parameters),
  };
}
