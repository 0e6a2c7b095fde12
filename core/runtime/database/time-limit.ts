import type { Database, Session } from './session.js';

/**
 * The session with a time limit for each SELECT of `rows`: the server ends a statement that takes longer (see isStatementTimeout). MariaDB
 * takes the limit beside the statement, MySQL as a hint in it.
 */
export function withTimeLimit<S extends Session>(session: S, flavour: Database['flavour'], seconds: number): S {
  const limited = (sql: string): string =>
    flavour === 'mariadb'
      ? sql.replace(/^\s*SELECT\b/i, `SET STATEMENT max_statement_time=${seconds} FOR SELECT`)
      : sql.replace(/^\s*SELECT\b/i, `SELECT /*+ MAX_EXECUTION_TIME(${seconds * 1000}) */`);
  return { ...session, rows: (sql, parameters) => session.rows(limited(sql), parameters) };
}
