import type { DataSource, EntityManager, EntitySchema, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { isUnavailable } from './errors.js';
import { createPipeline, type Pipeline } from './pipeline/pipeline.js';
import type { ConnectionUse, PooledConnection } from './pool/pool.js';
import type { Connections } from './pool/share.js';
import type { Outcome, PreparedValue, ReadShared, Session } from './session.js';
import { type SqlValue, asStatement, type Statement } from './statement.js';
import { readKey } from './shared-read.js';
import type { LimitTime } from './time-limit.js';
import { countWhere, deleteWhere, insertValues, selectWhere, updateWhere } from './table-statements.js';

/** A connection taken from the pool, until `release`. */
export interface AcquiredConnection {
  readonly session: Session;
  /** For transactions. */
  readonly pipeline: Pipeline;
  readonly release: () => Promise<void>;
  /** Ends the connection instead of giving it back, when its transaction may still be open. */
  readonly discard: () => Promise<void>;
}

/** The parts of a session. */
export interface Source {
  /** For the statements that TypeORM writes. */
  readonly dataSource: DataSource;
  readonly connections: Connections;
}

/**
 * Notes an answer that the pool must know of: the connection must not be used again, is lost, or the disk is full (see
 * release in pool.ts).
 */
function failureNote(): { error?: unknown; note: (error: unknown) => void } {
  const failed: { error?: unknown; note: (error: unknown) => void } = {
    note: (error) => {
      if (isUnavailable(error)) failed.error = error;
    },
  };
  return failed;
}

/**
 * Takes a connection.
 * @throws DatabaseUnavailable when none is free within 2 s; NoCommits for changes while the server commits nothing
 */
export async function acquireConnection(
  { dataSource, connections }: Source,
  use: ConnectionUse,
): Promise<AcquiredConnection> {
  const connection = await connections.take(use);
  const failed = failureNote();
  const pipeline = createPipeline(async () => connection, failed.note);
  let released = false;
  return {
    session: sessionOn(dataSource, pipeline),
    pipeline,
    async release() {
      if (released) return;
      released = true;
      pipeline.close();
      connections.release(connection, failed.error);
    },
    discard: async () => connections.discard(connection),
  };
}

/** A session outside transactions, for one call. */
export interface Reader {
  readonly session: Session;
  readonly release: () => void;
}

/**
 * Opens a session that takes a connection only for its first separate statement. A call whose reads are all shared
 * takes none.
 * @param limitTime applied to each of its statements
 */
export function openReader({ dataSource, connections }: Source, readShared: ReadShared, limitTime: LimitTime): Reader {
  const failed = failureNote();
  let taken: Promise<PooledConnection> | undefined;
  const pipeline = createPipeline(() => (taken = connections.take('read')), failed.note);
  const limited: Pipeline = {
    ...pipeline,
    read: ({ sql, parameters }) => pipeline.read({ sql: limitTime(sql), parameters }),
    readPrepared: (sql, parameters) => pipeline.readPrepared(limitTime(sql), parameters),
    write: ({ sql, parameters }) => pipeline.write({ sql: limitTime(sql), parameters }),
  };
  return {
    session: sessionOn(dataSource, limited, readShared),
    release() {
      pipeline.close();
      taken?.then(
        (connection) => connections.release(connection, failed.error),
        () => undefined, // No connection was free: the statement that wanted it was refused with this error.
      );
      taken = undefined;
    },
  };
}

/**
 * TypeORM's manager on one connection, made at its first use. Its statements go through the pipeline like all others.
 */
function entityManager(dataSource: DataSource, pipeline: Pipeline): () => EntityManager {
  let manager: EntityManager | undefined;
  const connection = {
    promise: () => ({
      query: async (sql: string, parameters: readonly SqlValue[] = []) => [await pipeline.write({ sql, parameters })],
    }),
  };
  return () => {
    if (manager) return manager;
    const runner = dataSource.createQueryRunner();
    // The connection that its `connect` would have taken from the pool.
    Reflect.set(runner, 'databaseConnection', connection);
    return (manager = runner.manager);
  };
}

const isPrepared = (value: SqlValue): value is PreparedValue => typeof value === 'string' || Buffer.isBuffer(value);

/** The outcome of the last of one or several statements. */
export const lastOutcome = (answer: Outcome | Outcome[]): Outcome =>
  Array.isArray(answer) ? (answer.at(-1) ?? { affectedRows: 0, insertId: 0 }) : answer;

/**
 * The Session of one connection (see session.ts).
 * @param readShared shares reads with other calls; without it, as in transactions, they use this connection
 */
function sessionOn(dataSource: DataSource, pipeline: Pipeline, readShared?: ReadShared): Session {
  const orm = entityManager(dataSource, pipeline);

  /** The result depends on the SQL, which the compiler cannot check. */
  function answer<T>(sent: Promise<unknown>): Promise<T>;
  function answer(sent: Promise<unknown>): Promise<unknown> {
    return sent;
  }
  const write = async (statement: Statement): Promise<Outcome> =>
    lastOutcome(await answer<Outcome | Outcome[]>(pipeline.write(statement)));
  const read = ({ sql, parameters }: Statement): Promise<object[]> =>
    answer(parameters.every(isPrepared) ? pipeline.readPrepared(sql, parameters) : pipeline.read({ sql, parameters }));

  const findRows = async <E extends ObjectLiteral>(
    table: EntitySchema<E>,
    where: FindOptionsWhere<E>,
    limit: '' | ' LIMIT 1',
  ): Promise<E[]> => {
    const known = selectWhere(table, where);
    if (known) return (await read({ ...known, sql: known.sql + limit })).map((row) => known.table.decode(row));
    return limit === '' ? orm().findBy(table, where) : orm().find(table, { where, take: 1 });
  };

  const prepared: Session['prepared'] = (sql, parameters) => answer(pipeline.readPrepared(sql, parameters));
  return {
    rows: (sql, parameters = []) => answer(pipeline.read({ sql, parameters })),
    prepared,
    readShared: readShared ?? (async (shared, key) => readKey({ prepared }, shared, key)),
    run: (sql: string | Statement, parameters?: readonly SqlValue[]) => write(asStatement(sql, parameters)),
    batch: (sql: string | Statement, parameters?: readonly SqlValue[]) =>
      answer(pipeline.write(asStatement(sql, parameters))),
    defer: (statement) => pipeline.defer(statement),
    async insert<E extends ObjectLiteral>(
      table: EntitySchema<E>,
      values: QueryDeepPartialEntity<E> | QueryDeepPartialEntity<E>[],
    ) {
      const insert = insertValues(table, Array.isArray(values) ? values : [values]);
      if (insert) await write(insert);
      else await orm().createQueryBuilder().insert().into(table).values(values).updateEntity(false).execute();
    },
    async update<E extends ObjectLiteral>(
      table: EntitySchema<E>,
      where: FindOptionsWhere<E>,
      values: QueryDeepPartialEntity<E>,
    ) {
      const update = updateWhere(table, where, values);
      if (update) return (await write(update)).affectedRows;
      return (await orm().update(table, where, values)).affected ?? 0;
    },
    async remove<E extends ObjectLiteral>(table: EntitySchema<E>, where: FindOptionsWhere<E>) {
      const remove = deleteWhere(table, where);
      if (remove) return (await write(remove)).affectedRows;
      return (await orm().delete(table, where)).affected ?? 0;
    },
    findOne: async (table, where) => (await findRows(table, where, ' LIMIT 1'))[0] ?? null,
    find: (table, where) => findRows(table, where, ''),
    async count<E extends ObjectLiteral>(table: EntitySchema<E>, where: FindOptionsWhere<E>) {
      const count = countWhere(table, where);
      if (!count) return orm().countBy(table, where);
      const [row] = await answer<{ found: number }[]>(read(count));
      return row?.found ?? 0;
    },
    select: (table, alias) => orm().createQueryBuilder(table, alias),
  };
}
