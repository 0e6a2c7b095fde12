import type { DataSource, EntityManager, EntitySchema, FindOptionsWhere, ObjectLiteral, QueryRunner } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { poolOf, takeConnection, type PooledConnection } from './pool.js';
import { pipelined, type Pipeline, type PipelinedConnection } from './pipeline.js';
import { entitiesOf, plainSelect } from './select.js';
import type { Outcome, PreparedValue, Session, SqlValue } from './session.js';

/** A connection taken from the pool, until `release`. */
export interface AcquiredConnection {
  readonly session: Session;
  /** For what begins a transaction. */
  readonly pipeline: Pipeline;
  readonly release: () => Promise<void>;
  /** Ends the connection instead of giving it back: nobody knows what it has open. */
  readonly discard: () => Promise<void>;
}

/**
 * Takes a connection from the pool.
 * @throws DatabaseUnavailable when none is free within 2 s
 */
export async function acquireConnection(dataSource: DataSource): Promise<AcquiredConnection> {
  const wire = await takeConnection(poolOf(dataSource));
  const line = pipelined(wire);
  const typeOrm = typeOrmOn(dataSource, wire);
  let given = false;
  return {
    session: sessionOn(dataSource, line, typeOrm, () => given),
    pipeline: line.pipeline,
    async release() {
      if (given) return;
      given = true;
      await typeOrm.release();
    },
    discard: async () => wire.destroy(),
  };
}

/** TypeORM's own way to a connection, made when it is asked for: plain SQL needs none of it. */
interface TypeOrm {
  manager(): EntityManager;
  /** Gives the connection back, once: whoever has it next must not lose it. */
  release(): Promise<void>;
}

function typeOrmOn(dataSource: DataSource, wire: PooledConnection): TypeOrm {
  let runner: QueryRunner | undefined;
  return {
    manager() {
      if (runner) return runner.manager;
      runner = dataSource.createQueryRunner();
      // What `connect` would have taken from the pool itself: everything goes over one connection.
      Reflect.set(runner, 'databaseConnection', wire);
      return runner.manager;
    },
    async release() {
      if (runner) await runner.release();
      else wire.release();
    },
  };
}

const over = 'This database session is over: its connection went back to the pool.';

const isPrepared = (value: SqlValue): value is PreparedValue => typeof value === 'string' || Buffer.isBuffer(value);

/** What the last of one or several statements did. */
export const lastOutcome = (answer: Outcome | Outcome[]): Outcome =>
  Array.isArray(answer) ? (answer.at(-1) ?? { affectedRows: 0, insertId: 0 }) : answer;

/** The Session of one connection (see session.ts for what each function promises). */
function sessionOn(
  dataSource: DataSource,
  line: PipelinedConnection,
  typeOrm: TypeOrm,
  isOver: () => boolean,
): Session {
  /** Not before what goes ahead has gone well: TypeORM's statements know nothing of it. */
  const manager = async (): Promise<EntityManager> => {
    if (isOver()) throw new Error(over);
    await line.ready();
    return typeOrm.manager();
  };
  /** What the driver answers is what the SQL asked for, which the compiler cannot know. */
  function sent<T>(sql: string, parameters?: readonly SqlValue[]): Promise<T>;
  async function sent(sql: string, parameters?: readonly SqlValue[]): Promise<unknown> {
    // A session kept beyond its lease must not reach a connection that others have by now.
    if (isOver()) throw new Error(over);
    return line.send(sql, parameters);
  }
  function asked<T>(sql: string, parameters: readonly PreparedValue[]): Promise<T>;
  async function asked(sql: string, parameters: readonly PreparedValue[]): Promise<unknown> {
    if (isOver()) throw new Error(over);
    return line.sendPrepared(sql, parameters);
  }
  const select = <T>(sql: string, parameters: readonly SqlValue[]): Promise<T> =>
    parameters.every(isPrepared) ? asked(sql, parameters) : sent(sql, parameters);
  return {
    rows: (sql, parameters) => sent(sql, parameters),
    prepared: (sql, parameters) => asked(sql, parameters),
    run: async (sql, parameters) => lastOutcome(await sent(sql, parameters)),
    batch: (sql, parameters) => sent(sql, parameters),
    async defer(sql, parameters = []) {
      if (isOver()) throw new Error(over);
      await line.defer({ sql, parameters });
    },
    async insert<E extends ObjectLiteral>(
      table: EntitySchema<E>,
      values: QueryDeepPartialEntity<E> | QueryDeepPartialEntity<E>[],
    ) {
      await (await manager()).createQueryBuilder().insert().into(table).values(values).updateEntity(false).execute();
    },
    async update<E extends ObjectLiteral>(
      table: EntitySchema<E>,
      where: FindOptionsWhere<E>,
      values: QueryDeepPartialEntity<E>,
    ) {
      const { affected } = await (await manager()).update(table, where, values);
      return affected ?? 0;
    },
    async remove<E extends ObjectLiteral>(table: EntitySchema<E>, where: FindOptionsWhere<E>) {
      const { affected } = await (await manager()).delete(table, where);
      return affected ?? 0;
    },
    async findOne<E extends ObjectLiteral>(table: EntitySchema<E>, where: FindOptionsWhere<E>) {
      const plain = plainSelect(dataSource, table, where);
      if (!plain) return (await manager()).findOneBy(table, where);
      const rows = await select<object[]>(`${plain.sql} LIMIT 1`, plain.parameters);
      return entitiesOf<E>(dataSource, plain.metadata, rows)[0] ?? null;
    },
    async find<E extends ObjectLiteral>(table: EntitySchema<E>, where: FindOptionsWhere<E>) {
      const plain = plainSelect(dataSource, table, where);
      if (!plain) return (await manager()).findBy(table, where);
      return entitiesOf<E>(dataSource, plain.metadata, await select<object[]>(plain.sql, plain.parameters));
    },
    count: async (table, where) => (await manager()).countBy(table, where),
    select(table, alias) {
      if (isOver()) throw new Error(over);
      line.flush();
      return typeOrm.manager().createQueryBuilder(table, alias);
    },
  };
}
