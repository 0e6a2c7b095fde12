import type { Session } from './session.js';

/** A Session that only reads. */
export type ReadSession = Pick<Session, 'rows' | 'prepared' | 'readShared' | 'find' | 'findOne' | 'count' | 'select'>;

const reads = /^\s*(\(\s*)*(SELECT|WITH|SHOW|EXPLAIN|SET\s+STATEMENT\s+.*?\bFOR\s+SELECT)\b/is;

/** The Session's own methods remain, because the types of ports use it; the methods that write throw. */
export function readOnly(session: Session): Session {
  const refuse = (): never => {
    throw new Error('This code runs outside a transaction and may only read.');
  };
  const checkSql = (sql: string): void => {
    if (!sql.split(';').every((statement) => statement.trim() === '' || reads.test(statement))) refuse();
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
    batch(sql, parameters) {
      checkSql(sql);
      return session.batch(sql, parameters);
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
