import type { DataSource, EntityManager, EntitySchema, FindOptionsWhere, ObjectLiteral, QueryRunner } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { DatabaseUnavailable } from './errors.js';
import { prefaced, type Preface, type PrefacedWire } from './preface.js';
import { entitiesOf, plainSelect } from './select.js';
import type { Outcome, PreparedValue, Session, SqlValue } from './session.js';
import { isWire } from './wire.js';

/** How long a caller waits for a free connection. mysql2 itself would wait for ever. */
const acquireMs = 2_000;

/** A connection taken from the pool, until `release`. */
export interface Lease {
  readonly session: Session;
  /** For what begins a transaction. */
  readonly preface: Preface;
  readonly release: () => Promise<void>;
  /** Ends the connection instead of giving it back: nobody knows what it has open. */
  readonly discard: () => Promise<void>;
}

/**
 * Takes a connection from the pool.
 * @throws DatabaseUnavailable when none is free within 2 s
 */
export async function leaseConnection(dataSource: DataSource): Promise<Lease> {
  const runner = dataSource.createQueryRunner();
  const connected: Promise<unknown> = runner.connect();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // A connection that arrives after we gave up goes straight back; one that never arrives was never ours.
      connected.then(
        () => runner.release(),
        () => undefined,
      );
      reject(new DatabaseUnavailable('No database connection was free within 2 s.'));
    }, acquireMs);
  });
  try {
    const wire = await Promise.race([connected, late]);
    if (!isWire(wire)) throw new Error('The MySQL driver gave no connection.');
    const line = prefaced(wire);
    return {
      session: sessionOn(runner, line),
      preface: line.preface,
      release: () => runner.release(),
      discard: async () => wire.destroy(),
    };
  } finally {
    clearTimeout(timer);
  }
}

const over = 'This database session is over: its connection went back to the pool.';

const isPrepared = (value: SqlValue): value is PreparedValue => typeof value === 'string' || Buffer.isBuffer(value);

/** The Session of one connection (see session.ts for what each function promises). */
function sessionOn(runner: QueryRunner, line: PrefacedWire): Session {
  /** TypeORM's own way to the connection. */
  const manager = (): EntityManager => {
    line.hurry();
    return runner.manager;
  };
  /** What the driver answers is what the SQL asked for, which the compiler cannot know. */
  function sent<T>(sql: string, parameters?: readonly SqlValue[]): Promise<T>;
  async function sent(sql: string, parameters?: readonly SqlValue[]): Promise<unknown> {
    // A session kept beyond its lease must not reach a connection that others have by now.
    if (runner.isReleased) throw new Error(over);
    return line.send(sql, parameters);
  }
  function asked<T>(sql: string, parameters: readonly PreparedValue[]): Promise<T>;
  async function asked(sql: string, parameters: readonly PreparedValue[]): Promise<unknown> {
    if (runner.isReleased) throw new Error(over);
    return line.sendPrepared(sql, parameters);
  }
  const select = <T>(sql: string, parameters: readonly SqlValue[]): Promise<T> =>
    parameters.every(isPrepared) ? asked(sql, parameters) : sent(sql, parameters);
  return {
    rows: (sql, parameters) => sent(sql, parameters),
    known: (sql, parameters) => asked(sql, parameters),
    async run(sql, parameters) {
      const answer = await sent<Outcome | Outcome[]>(sql, parameters);
      return Array.isArray(answer) ? (answer.at(-1) ?? { affectedRows: 0, insertId: 0 }) : answer;
    },
    batch: (sql, parameters) => sent(sql, parameters),
    async insert<E extends ObjectLiteral>(
      table: EntitySchema<E>,
      values: QueryDeepPartialEntity<E> | QueryDeepPartialEntity<E>[],
    ) {
      await manager().createQueryBuilder().insert().into(table).values(values).updateEntity(false).execute();
    },
    async update<E extends ObjectLiteral>(
      table: EntitySchema<E>,
      where: FindOptionsWhere<E>,
      values: QueryDeepPartialEntity<E>,
    ) {
      const { affected } = await manager().update(table, where, values);
      return affected ?? 0;
    },
    async remove<E extends ObjectLiteral>(table: EntitySchema<E>, where: FindOptionsWhere<E>) {
      const { affected } = await manager().delete(table, where);
      return affected ?? 0;
    },
    async findOne<E extends ObjectLiteral>(table: EntitySchema<E>, where: FindOptionsWhere<E>) {
      const plain = plainSelect(runner.dataSource, table, where);
      if (!plain) return manager().findOneBy(table, where);
      const rows = await select<object[]>(`${plain.sql} LIMIT 1`, plain.parameters);
      return entitiesOf<E>(runner.dataSource, plain.metadata, rows)[0] ?? null;
    },
    async find<E extends ObjectLiteral>(table: EntitySchema<E>, where: FindOptionsWhere<E>) {
      const plain = plainSelect(runner.dataSource, table, where);
      if (!plain) return manager().findBy(table, where);
      return entitiesOf<E>(runner.dataSource, plain.metadata, await select<object[]>(plain.sql, plain.parameters));
    },
    count: (table, where) => manager().countBy(table, where),
    select: (table, alias) => manager().createQueryBuilder(table, alias),
  };
}
