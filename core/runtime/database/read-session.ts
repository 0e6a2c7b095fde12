import { rememberByText } from './remember-by-text.js';
import type { Session } from './session.js';
import { asStatement, type SqlValue, type Statement } from './statement.js';

/** A Session that only reads. */
export type ReadSession = Pick<Session, 'rows' | 'prepared' | 'readShared' | 'find' | 'findOne' | 'count' | 'select'>;

const reads = /^\s*(\(\s*)*(SELECT|WITH|SHOW|EXPLAIN|SET\s+STATEMENT\s+.*?\bFOR\s+SELECT)\b/is;

const onlyReads = rememberByText((sql) =>
  sql.split(';').every((statement) => statement.trim() === '' || reads.test(statement)),
);

/** The Session's own methods remain, because the types of ports use it; the methods that write throw. */
export function readOnly(session: Session): Session {
  const refuse = (): never => {
    throw new Error('This code runs outside a transaction and may only read.');
  };
  const checkSql = (sql: string): void => {
    if (!onlyReads(sql)) refuse();
  };
  return {
    rows(sql, parameters) {
      checkSql(sql);
      return session.rows(sql, parameters);
    },
    prepared(sql, parameters) {
      checkSql(sql);
      return session.prepared(sql, parameters);
    },
    readShared: session.readShared,
    batch(sql: string | Statement, parameters?: readonly SqlValue[]) {
      const statement = asStatement(sql, parameters);
      checkSql(statement.sql);
      return session.batch(statement);
    },
    find: (table, where) => session.find(table, where),
    findOne: (table, where) => session.findOne(table, where),
    count: (table, where) => session.count(table, where),
    select: (table, alias) => session.select(table, alias),
    run: refuse,
    defer: refuse,
    insert: refuse,
    update: refuse,
    remove: refuse,
  };
}
