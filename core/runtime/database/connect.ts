import { DataSource, DefaultNamingStrategy, type EntitySchema } from 'typeorm';
import { lastOutcome, acquireConnection, type AcquiredConnection } from './connection.js';
import { poolOf, takeConnection, type PooledConnection } from './pool.js';
import type { Database, Session } from './session.js';
import { runTransaction, type TransactionPlan } from './transaction.js';
import { send, sendPrepared } from './raw-connection.js';

/** Columns and tables are snake_case in the database and camelCase in the code. */
class SnakeCase extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

export interface ConnectOptions {
  /** mysql://user:password@host:port/database */
  url: string;
  entities?: readonly EntitySchema[];
  /** Connections in the pool, at most. */
  poolSize?: number;
}

/** A Database that can also run a transaction by plan, for the kernel's runner. */
export interface ConnectedDatabase extends Database {
  readonly dataSource: DataSource;
  /** Takes one connection for several statements outside a transaction. */
  acquire(): Promise<AcquiredConnection>;
  transact<T>(plan: TransactionPlan<T>): Promise<T>;
  /** Database time minus local time, in milliseconds, when the pool was opened. */
  readonly clockOffsetMs: number;
}

/** Every session: UTC, READ COMMITTED, refusal of bad values, and no fifty seconds' wait for a lock. */
const sessionSettings =
  "SET time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', " +
  'innodb_lock_wait_timeout = 5; SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** All connections together: a server keeps 16,382 where nobody said otherwise, for all nodes. */
const preparedStatements = 2_000;

/**
 * Opens the pool.
 * @throws the driver's error when the server cannot be reached or refuses the credentials
 */
export async function connectDatabase(options: ConnectOptions): Promise<ConnectedDatabase> {
  const dataSource = new DataSource({
    type: 'mysql',
    url: options.url,
    entities: [...(options.entities ?? [])],
    synchronize: false,
    logging: false,
    timezone: 'Z',
    charset: 'utf8mb4',
    namingStrategy: new SnakeCase(),
    multipleStatements: true,
    poolSize: options.poolSize ?? 20,
    connectTimeout: 5_000,
    supportBigNumbers: true,
    // Counts come back as numbers; only what passes 2^53 stays text.
    bigNumberStrings: false,
    // TypeORM's errors have stacks of their own: a second one for every statement is a twentieth of the CPU (measured).
    extra: {
      enableKeepAlive: true,
      maxIdle: options.poolSize ?? 20,
      trace: false,
      maxPreparedStatements: Math.max(10, Math.floor(preparedStatements / (options.poolSize ?? 20))),
    },
  });
  await dataSource.initialize();
  poolOf(dataSource).on('connection', (connection) => connection.query(sessionSettings));
  // The pool's first connection was made before the listener stood.
  const first = await acquireConnection(dataSource);
  await first.session.run(sessionSettings);
  const [facts] = await first.session.rows<{ version: string; now: Date }>(
    'SELECT VERSION() AS version, NOW(3) AS now',
  );
  await first.release();
  const flavour = /mariadb/i.test(facts?.version ?? '') ? 'mariadb' : 'mysql';
  return {
    ...pooledSession(dataSource),
    dataSource,
    flavour,
    clockOffsetMs: (facts?.now.getTime() ?? Date.now()) - Date.now(),
    acquire: () => acquireConnection(dataSource),
    transaction: (work) => runTransaction(dataSource, { work }),
    transact: (plan) => runTransaction(dataSource, plan),
    close: () => dataSource.destroy(),
  };
}

/** A Session whose every call takes a connection of its own and gives it back. */
function pooledSession(dataSource: DataSource): Session {
  const each = async <T>(call: (session: Session) => Promise<T>): Promise<T> => {
    const { session, release } = await acquireConnection(dataSource);
    try {
      return await call(session);
    } finally {
      await release();
    }
  };
  /** For one statement of plain SQL a connection is all it takes. The driver answers what the SQL asked for. */
  function asked<T>(ask: (wire: PooledConnection) => Promise<unknown>): Promise<T>;
  async function asked(ask: (wire: PooledConnection) => Promise<unknown>): Promise<unknown> {
    const wire = await takeConnection(poolOf(dataSource));
    try {
      return await ask(wire);
    } finally {
      wire.release();
    }
  }
  return {
    rows: (sql, parameters) => asked((wire) => send(wire, sql, parameters)),
    prepared: (sql, parameters) => asked((wire) => sendPrepared(wire, sql, parameters)),
    run: async (sql, parameters) => lastOutcome(await asked((wire) => send(wire, sql, parameters))),
    batch: (sql, parameters) => asked((wire) => send(wire, sql, parameters)),
    defer: (sql, parameters) => asked((wire) => send(wire, sql, parameters)),
    insert: (table, values) => each((session) => session.insert(table, values)),
    update: (table, where, values) => each((session) => session.update(table, where, values)),
    remove: (table, where) => each((session) => session.remove(table, where)),
    findOne: (table, where) => each((session) => session.findOne(table, where)),
    find: (table, where) => each((session) => session.find(table, where)),
    count: (table, where) => each((session) => session.count(table, where)),
    select: (table, alias) => dataSource.manager.createQueryBuilder(table, alias),
  };
}
