import type { EntitySchema, FindOptionsWhere, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { SqlValue, Statement } from './statement.js';

/** Values of prepared statements: the kinds that the text protocol and the binary protocol treat alike. */
export type PreparedValue = string | Buffer;

/** The result of a statement without rows. `affectedRows` counts the rows that its WHERE found (CLIENT_FOUND_ROWS). */
export interface Outcome {
  affectedRows: number;
  insertId: number;
}

/**
 * A read by key that concurrent calls share: one statement answers up to 32 keys. Nothing is cached: a call's key is
 * sent after the call has arrived. A statement for eight keys takes the server a sixth of the time of eight statements
 * (measured).
 */
export interface SharedRead<Key, Found, Row extends object = object> {
  /** The parts of a key, by name, with their SQL types: `{ digest: 'BINARY(32)' }`. */
  readonly parts: Readonly<Record<string, string>>;
  /**
   * The statement. It selects from `asked`, which has a row with the parts of each key, and adds the column
   * `asked.place` to each row that it finds; at most one row per key.
   * @param asked the table of the keys, for its FROM
   */
  readonly sql: (asked: string) => string;
  /** The values of a key's parts, in their order. */
  readonly parametersOf: (key: Key) => readonly PreparedValue[];
  /** @param row undefined if nothing was found */
  readonly foundIn: (row: Row | undefined) => Found;
}

/** Reads this key: together with those of other calls, or on its own in a transaction. */
export type ReadShared = <Key, Found, Row extends object>(
  read: SharedRead<Key, Found, Row>,
  key: Key,
) => Promise<Found>;

/**
 * One connection to the database, as handlers and workers see it: inside a transaction (see `transaction`) or outside
 * (see `Database`). Every statement uses this connection and so belongs to its transaction. Statements run in the order
 * of the calls. Reads started together (`Promise.all`) share a round trip: see pipeline.ts. There is no `save`, which
 * reads before it writes.
 */
export interface Session {
  /** Plain SQL that returns rows. Placeholders are `?`; an array expands for `IN (?)`. */
  rows<Row extends object>(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /**
   * The same for a SELECT whose text never changes: it is prepared once per connection and costs a third less
   * (measured).
   */
  prepared<Row extends object>(sql: string, parameters: readonly PreparedValue[]): Promise<Row[]>;
  /** A read by key. Outside transactions, concurrent calls share its statement: see shared-read.ts. */
  readonly readShared: ReadShared;
  /** Plain SQL that returns no rows. With several statements in one text, the outcome of the last. */
  run(sql: string, parameters?: readonly SqlValue[]): Promise<Outcome>;
  run(statement: Statement): Promise<Outcome>;
  /** Several statements in one text and round trip. @returns for each its rows, or its outcome */
  batch(sql: string, parameters?: readonly SqlValue[]): Promise<(object[] | Outcome)[]>;
  batch(statement: Statement): Promise<(object[] | Outcome)[]>;
  /**
   * Runs a statement whose outcome is not needed. In a transaction it is sent with the next statement or with COMMIT,
   * in the same round trip; if it fails, the transaction fails. An empty statement (`joined([])`) does nothing.
   */
  defer(statement: Statement): Promise<void>;
  insert<E extends ObjectLiteral>(
    table: EntitySchema<E>,
    values: QueryDeepPartialEntity<E> | QueryDeepPartialEntity<E>[],
  ): Promise<void>;
  /** @returns how many rows `where` found. Check it: it makes a conditional change safe against concurrent ones. */
  update<E extends ObjectLiteral>(
    table: EntitySchema<E>,
    where: FindOptionsWhere<E>,
    values: QueryDeepPartialEntity<E>,
  ): Promise<number>;
  remove<E extends ObjectLiteral>(table: EntitySchema<E>, where: FindOptionsWhere<E>): Promise<number>;
  findOne<E extends ObjectLiteral>(table: EntitySchema<E>, where: FindOptionsWhere<E>): Promise<E | null>;
  find<E extends ObjectLiteral>(table: EntitySchema<E>, where: FindOptionsWhere<E>): Promise<E[]>;
  count<E extends ObjectLiteral>(table: EntitySchema<E>, where: FindOptionsWhere<E>): Promise<number>;
  /** TypeORM's query builder for one table, for lists and locks. */
  select<E extends ObjectLiteral>(table: EntitySchema<E>, alias: string): SelectQueryBuilder<E>;
}

/** The pool of connections. As a Session, it runs each call on any free connection. */
export interface Database extends Session {
  readonly flavour: 'mariadb' | 'mysql';
  /**
   * Runs `work` in one READ COMMITTED transaction. A deadlock, lock time-out, snapshot conflict or lost connection
   * rolls it back and runs it again (three times at most), so `work` does nothing outside the database. See
   * transaction.ts.
   * @throws DatabaseUnavailable if no connection is free within 2 s or the server cannot be reached
   */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
