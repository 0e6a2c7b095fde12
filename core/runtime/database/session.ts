import type { EntitySchema, FindOptionsWhere, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';

/** SQL as one placeholder takes it (see written.ts): the statement's own text, which errors show, holds no value. */
export interface RawSql {
  toSqlString(): string;
}

export type SqlValue = string | number | bigint | boolean | Date | Buffer | null | RawSql | readonly SqlValue[];

/** What a prepared statement takes: the kinds of values that mean the same in either of the protocols. */
export type PreparedValue = string | Buffer;

/** What a statement that returns no rows did. `affectedRows` counts the rows its WHERE found (CLIENT_FOUND_ROWS). */
export interface Outcome {
  affectedRows: number;
  insertId: number;
}

/**
 * One connection to the database, as handlers and workers see it: inside a transaction (see `transaction`)
 * or outside (see `Database`). There is no way from here to another connection, so nothing escapes its transaction,
 * and no `save`, which reads before it writes.
 */
export interface Session {
  /** Plain SQL that returns rows. Placeholders are `?`; an array expands for `IN (?)`. */
  rows<Row extends object>(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** The same for a SELECT whose text never varies: prepared once on each connection, it costs a third less (measured). */
  prepared<Row extends object>(sql: string, parameters: readonly PreparedValue[]): Promise<Row[]>;
  /** Plain SQL that returns no rows. With several statements in one text, the outcome of the last. */
  run(sql: string, parameters?: readonly SqlValue[]): Promise<Outcome>;
  /** Several statements in one round trip; for each its rows, or its outcome. */
  batch(sql: string, parameters?: readonly SqlValue[]): Promise<(object[] | Outcome)[]>;
  /**
   * Plain SQL whose outcome nobody asks for. In a transaction it goes with the next statement, or with COMMIT, in their round trip, and
   * when it fails, the transaction does.
   */
  defer(sql: string, parameters?: readonly SqlValue[]): Promise<void>;
  insert<E extends ObjectLiteral>(
    table: EntitySchema<E>,
    values: QueryDeepPartialEntity<E> | QueryDeepPartialEntity<E>[],
  ): Promise<void>;
  /** @returns how many rows `where` found: check it, it is what makes a conditional change safe under racers. */
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

/** The database as the process holds it: a pool. A Session of its own (each call on any free connection), and more. */
export interface Database extends Session {
  readonly flavour: 'mariadb' | 'mysql';
  /**
   * Runs `work` in one READ COMMITTED transaction; a deadlock, lock time-out, snapshot conflict or lost connection rolls it
   * all back and runs it again (3 tries, with jitter), so `work` does nothing outside the database.
   * @throws DatabaseUnavailable when no connection is free within 2 s or the server is away
   */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
