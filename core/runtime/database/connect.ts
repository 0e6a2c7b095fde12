import type { EntitySchema } from 'typeorm';
// Not from the package's index, which loads all of TypeORM.
import { DataSource } from 'typeorm/data-source/DataSource.js';
import { DefaultNamingStrategy } from 'typeorm/naming-strategy/DefaultNamingStrategy.js';
import {
  lastOutcome,
  acquireConnection,
  openReader,
  type AcquiredConnection,
  type Reader,
  type Source,
} from './connection.js';
import type { DatabaseTime } from '../database-clock.js';
import type { Holder } from '../holder.js';
import { databaseAddress, type DatabaseHost } from './address.js';
import { driverOptions, type DatabaseTarget } from './driver-options.js';
import { createInquiry, findPrimary } from './primary/find.js';
import { watchPrimary, type DatabaseServers, type PrimaryReport, type PrimaryWatch } from './primary/watch.js';
import { fairShares } from './pool/fair-share.js';
import { isConnectionLost, isDiskFull } from './errors.js';
import {
  allowWrites,
  cutAll,
  moveTo,
  poolOf,
  prepareConnections,
  refuseWrites,
  type ConnectionUse,
  type PooledConnection,
} from './pool/pool.js';
import { endConnectionsOfSilentServer } from './pool/silent-server.js';
import { shareOf, wholePool, type Connections, type ConnectionWaits } from './pool/share.js';
import { shareReads } from './shared-read.js';
import type { Database, Outcome, Session } from './session.js';
import { asStatement, type SqlValue, type Statement } from './statement.js';
import { textWithValues } from './statement-text.js';
import { commitStatements, runTransaction, type TransactionPlan } from './transaction.js';
import { send, sendPrepared } from './raw-connection.js';
import { readSeconds, timeLimit } from './time-limit.js';

/** Columns and tables are snake_case in the database and camelCase in the code. */
class SnakeCase extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

export interface ConnectOptions extends DatabaseTarget {
  entities?: readonly EntitySchema[];
  /** Connections in the pool, at most. */
  poolSize?: number;
  /** Called each time when a statement fails because the disk of the server is full. */
  onDiskFull?: (error: unknown) => void;
  /** Counts callers that wait for a free connection. */
  waits?: ConnectionWaits;
  /** Called each time when connections were ended because their server does not answer. */
  onSilent?: () => void;
  /** Called when the primary changes, if the URL has several hosts. */
  onPrimary?: (report: PrimaryReport) => void;
}

/** A Database that can also run a transaction by plan, for the kernel's runner. */
export interface ConnectedDatabase extends Database {
  readonly dataSource: DataSource;
  /** Takes one connection for several statements outside a transaction. */
  acquire(): Promise<AcquiredConnection>;
  /**
   * Opens a session for the reads of one call, outside a transaction. Each of its statements ends after `readSeconds`.
   * @param holder whose share of the connections it uses (see fairShares); without one, all connections
   */
  openReader(holder?: Holder): Reader;
  /** @param holder as in `openReader` */
  transact<T>(plan: TransactionPlan<T>, holder?: Holder): Promise<T>;
  /** A session in which every statement takes its own connection, of the holder's share (see fairShares). */
  sessionOf(holder: Holder): Session;
  /** Runs statements in one transaction and one round trip. @returns the outcome of each */
  commit(statements: readonly Statement[]): Promise<Outcome[]>;
  /** The database's time when the pool was opened. */
  readonly openedAt: DatabaseTime;
  /** Its servers; undefined if the URL has one host. */
  readonly servers: () => DatabaseServers | undefined;
  /** Ends all connections: their statements fail as when the network fails. For a server that does not answer. */
  readonly cut: () => void;
  /** The server in use. */
  readonly host: () => DatabaseHost;
  /**
   * Refuses changes with NoCommits, and ends those that wait, until it is called without a reason. Reads go on.
   * @param reason a sentence
   */
  readonly refuseWrites: (reason: string | undefined) => void;
  /** The same database, using at most `most` of its connections at a time. Closing it does nothing. */
  share(most: number): ConnectedDatabase;
}

/**
 * How long a connection may stand still before the server ends it and rolls its transaction back, in seconds. A process
 * that hangs, or whose machine is gone, closes nothing: by default its rows would stay locked for eight hours. No
 * transaction of svc waits for anything but the database.
 */
const idleSeconds = 20;
/** The pool ends free connections before the server does, so that nobody is given one that is just being ended. */
const freeMs = 10_000;

/**
 * For every connection: UTC, READ COMMITTED, values that do not fit are refused, and a lock is waited for 5 s instead
 * of 50. MariaDB refuses rows that changed during that wait by default since 11.6 (1020), so racers for one row would
 * use up their tries. Indexes are not intersected: a list's index ends with its order, and an intersection sorts all
 * that matches for one page.
 */
const sessionSettings =
  "SET time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', " +
  `optimizer_switch = 'index_merge_intersection=off', innodb_lock_wait_timeout = 5, wait_timeout = ${idleSeconds} ` +
  '/*M!110602 , innodb_snapshot_isolation = OFF */; SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/**
 * Prepared statements of all connections of this pool. A server keeps 16,382 by default (max_prepared_stmt_count), for
 * all nodes.
 */
const preparedStatements = 2_000;

/**
 * Opens the pool.
 * @throws the driver's error when the server cannot be reached or refuses the credentials; NoPrimary when no server of
 *   several can be used
 */
export async function connectDatabase(options: ConnectOptions): Promise<ConnectedDatabase> {
  const primary = await findPrimary(options);
  const { user: username, ...server } = driverOptions(options, primary);
  const dataSource = new DataSource({
    type: 'mysql',
    ...server,
    username,
    entities: [...(options.entities ?? [])],
    synchronize: false,
    logging: false,
    timezone: 'Z',
    charset: 'utf8mb4',
    namingStrategy: new SnakeCase(),
    multipleStatements: true,
    poolSize: options.poolSize ?? 20,
    supportBigNumbers: true,
    // BIGINT values come back as numbers, and as text beyond 2^53.
    bigNumberStrings: false,
    // QueryFailedError has a stack trace already; a second one for every statement takes a twentieth of the CPU time
    // (measured).
    extra: {
      enableKeepAlive: true,
      idleTimeout: freeMs,
      // The driver ends free connections only if it may keep fewer than all of them.
      maxIdle: Math.max(1, (options.poolSize ?? 20) - 1),
      trace: false,
      queryFormat: (sql: string, values: readonly SqlValue[] = []) => textWithValues(sql, values),
      maxPreparedStatements: Math.max(10, Math.floor(preparedStatements / (options.poolSize ?? 20))),
    },
  });
  await dataSource.initialize();
  const pool = poolOf(dataSource);
  prepareConnections(pool, sessionSettings);
  // TypeORM opened the pool's first connection before the listener was added.
  const poolSize = options.poolSize ?? 20;
  const { hosts } = databaseAddress(options.url);
  const watch =
    hosts.length === 1
      ? undefined
      : watchPrimary({
          target: options,
          present: primary,
          move: (to, isGone) => moveTo(pool, to, isGone),
          report: options.onPrimary ?? (() => undefined),
        });
  const stopAsking = endConnectionsOfSilentServer(pool, createInquiry(options), options.onSilent ?? (() => undefined));
  const connections = watchFailures(wholePool(pool), options.onDiskFull, watch);
  const source: Source = { dataSource, connections };
  const close = async (): Promise<void> => {
    watch?.close();
    stopAsking();
    await dataSource.destroy();
  };
  try {
    const facts = await readFacts(source);
    const servers = (): DatabaseServers | undefined => watch?.servers();
    const own: Omit<Facts, 'flavour' | 'openedAt'> = {
      servers,
      cut: () => cutAll(pool),
      host: () => {
        const { host, port } = pool.config.connectionConfig;
        return hosts.find((each) => each.host === host && each.port === port) ?? primary;
      },
      refuseWrites: (reason) => (reason === undefined ? allowWrites(pool) : refuseWrites(pool, reason)),
    };
    return { ...databaseOn(source, poolSize, { ...facts, ...own }, options.waits), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Prepares the pool's first connection, and reads what svc must know about the server. */
async function readFacts(source: Source): Promise<Pick<ConnectedDatabase, 'flavour' | 'openedAt'>> {
  const first = await acquireConnection(source, 'read');
  try {
    await first.session.run(sessionSettings);
    const askedAt = performance.now();
    const [facts] = await first.session.rows<{ version: string; server_time: Date }>(
      'SELECT VERSION() AS version, NOW(3) AS server_time',
    );
    const answeredAt = performance.now();
    const flavour = /mariadb/i.test(facts?.version ?? '') ? 'mariadb' : 'mysql';
    return { flavour, openedAt: { now: facts?.server_time ?? new Date(), askedAt, answeredAt } };
  } finally {
    await first.release();
  }
}

function watchFailures(
  connections: Connections,
  onDiskFull: ConnectOptions['onDiskFull'],
  watch: PrimaryWatch | undefined,
): Connections {
  return {
    ...connections,
    release(connection, error) {
      if (isDiskFull(error)) onDiskFull?.(error);
      else if (isConnectionLost(error)) watch?.hurry();
      connections.release(connection, error);
    },
  };
}

type Facts = Pick<ConnectedDatabase, 'flavour' | 'openedAt' | 'servers' | 'cut' | 'host' | 'refuseWrites'>;

/** @param size how many connections `source` provides at a time */
function databaseOn(source: Source, size: number, facts: Facts, waits: ConnectionWaits | undefined): ConnectedDatabase {
  const session = pooledSession(source);
  const shareFor = fairShares(source.connections, size, waits);
  const sourceOf = (holder: Holder | undefined): Source =>
    holder === undefined ? source : { ...source, connections: shareFor(holder) };
  const limitTime = timeLimit(facts.flavour, readSeconds);
  return {
    ...session,
    ...facts,
    dataSource: source.dataSource,
    acquire: () => acquireConnection(source, 'read'),
    openReader: (holder) => openReader(sourceOf(holder), session.readShared, limitTime),
    transaction: (work) => runTransaction(source, { work }),
    transact: (plan, holder) => runTransaction(sourceOf(holder), plan),
    sessionOf: (holder) => ({ ...pooledSession(sourceOf(holder)), readShared: session.readShared }),
    commit: (statements) => commitStatements(source, statements),
    share: (most) =>
      databaseOn({ ...source, connections: shareOf(source.connections, most, waits) }, most, facts, waits),
    close: async () => undefined,
  };
}

/** A Session in which every call takes its own connection and returns it. */
function pooledSession(source: Source): Session {
  const withSession = async <T>(use: ConnectionUse, call: (session: Session) => Promise<T>): Promise<T> => {
    const { session, release } = await acquireConnection(source, use);
    try {
      return await call(session);
    } finally {
      await release();
    }
  };
  /** Plain SQL needs only a connection. The result depends on the SQL, which the compiler cannot check. */
  function withConnection<T>(use: ConnectionUse, call: (connection: PooledConnection) => Promise<unknown>): Promise<T>;
  async function withConnection(
    use: ConnectionUse,
    call: (connection: PooledConnection) => Promise<unknown>,
  ): Promise<unknown> {
    const { connections } = source;
    const connection = await connections.take(use);
    try {
      const answer = await call(connection);
      connections.release(connection);
      return answer;
    } catch (error) {
      connections.release(connection, error);
      throw error;
    }
  }
  const sent = <T>(use: ConnectionUse, statement: Statement): Promise<T> =>
    withConnection(use, (connection) => send(connection, statement));
  const prepared: Session['prepared'] = (sql, parameters) =>
    withConnection('read', (connection) => sendPrepared(connection, sql, parameters));
  return {
    rows: (sql, parameters = []) => sent('read', { sql, parameters }),
    prepared,
    readShared: shareReads({ prepared }),
    run: async (sql: string | Statement, parameters?: readonly SqlValue[]) =>
      lastOutcome(await sent<Outcome | Outcome[]>('write', asStatement(sql, parameters))),
    batch: (sql: string | Statement, parameters?: readonly SqlValue[]) => sent('write', asStatement(sql, parameters)),
    defer: (statement) => withSession('write', (session) => session.defer(statement)),
    insert: (table, values) => withSession('write', (session) => session.insert(table, values)),
    update: (table, where, values) => withSession('write', (session) => session.update(table, where, values)),
    remove: (table, where) => withSession('write', (session) => session.remove(table, where)),
    findOne: (table, where) => withSession('read', (session) => session.findOne(table, where)),
    find: (table, where) => withSession('read', (session) => session.find(table, where)),
    count: (table, where) => withSession('read', (session) => session.count(table, where)),
    select: (table, alias) => source.dataSource.manager.createQueryBuilder(table, alias),
  };
}
