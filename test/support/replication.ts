import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { ensureDatabase } from '#core/runtime/database/server/create.js';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer, type PrivateServer } from '#core/runtime/private-server/index.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

/** A server that copies another one. */
export interface ReplicaServer {
  /** host:port of the proxy in front of it. */
  readonly place: string;
  /** Through the proxy, as a user who may only read. */
  readonly url: string;
  readonly proxy: TcpProxy;
  /** Without the proxy, as a user who may do everything. */
  readonly direct: ConnectedDatabase;
  /** Lets it receive changes and not apply them, or apply them again. */
  apply(on: boolean): Promise<void>;
  /** Ends it as a crash does. It is started again by itself. */
  kill(): void;
  /** Changes it alone. */
  change(sql: string, parameters?: readonly SqlValue[]): Promise<void>;
  /** The statements with a text that clients have sent to it. */
  statements(text: string): Promise<string[]>;
}

export interface Replicated {
  /** As a user with all rights on the database. */
  readonly primaryUrl: string;
  readonly replicas: readonly ReplicaServer[];
  stop(): Promise<void>;
}

const start = async (id: number): Promise<{ server: PrivateServer; end: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-replica-'));
  const server = await startPrivateServer({
    stateDir: folder,
    log: silentLog,
    durable: false,
    unrestricted: true,
    bufferPoolBytes: 32 * 1024 * 1024,
    flags: [
      `--server-id=${id}`,
      '--log-bin=changes',
      '--binlog-format=ROW',
      '--relay-log=relay',
      '--relay-log-recovery=ON',
      '--general-log=ON',
      '--log-output=TABLE',
      // The users are each server's own.
      '--replicate-wild-do-table=svc.%',
    ],
  });
  return {
    server,
    async end() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Starts a primary with a database `svc`, and replicas of it. */
export async function startReplicated(count: number): Promise<Replicated> {
  const ends: (() => Promise<void>)[] = [];
  const primary = await start(1);
  ends.push(primary.end);
  await ensureDatabase({ url: primary.server.databaseUrl() });
  const db = await connectDatabase({ url: primary.server.databaseUrl(), poolSize: 2 });
  await db.run(`CREATE USER 'node'@'%' IDENTIFIED BY 'a,b'; GRANT ALL PRIVILEGES ON svc.* TO 'node'@'%'`);
  await db.run(`CREATE USER 'copy'@'%' IDENTIFIED BY 'copy'; GRANT REPLICATION SLAVE ON *.* TO 'copy'@'%'`);
  // MySQL's filter lets statements about users pass: changes.000002 has none.
  await db.run('FLUSH BINARY LOGS');
  const replicas: ReplicaServer[] = [];
  for (let id = 2; id < count + 2; id += 1) {
    const { server, end } = await start(id);
    await ensureDatabase({ url: server.databaseUrl() });
    const direct = await connectDatabase({ url: server.databaseUrl(), poolSize: 2 });
    await direct.run(`CREATE USER 'node'@'%' IDENTIFIED BY 'a,b'; GRANT SELECT ON svc.* TO 'node'@'%'`);
    await follow(direct, primary.server.port);
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: server.port });
    const place = `127.0.0.1:${proxy.port}`;
    ends.unshift(async () => {
      await proxy.close();
      await direct.close();
      await end();
    });
    replicas.push({
      place,
      url: `mysql://node:a,b@${place}/svc`,
      proxy,
      direct,
      async apply(on) {
        await direct.run(`${on ? 'START' : 'STOP'} REPLICA SQL_THREAD`);
      },
      kill: () => process.kill(server.pid, 'SIGKILL'),
      async change(sql, parameters = []) {
        await direct.run(`SET SESSION sql_log_bin = 0; ${sql}; SET SESSION sql_log_bin = 1`, parameters);
      },
      async statements(text) {
        const rows = await direct.rows<{ said: string }>(
          "SELECT CONVERT(argument USING utf8mb4) AS said FROM mysql.general_log WHERE user_host LIKE 'node%' AND argument LIKE ?",
          [`%${text}%`],
        );
        return rows.map(({ said }) => said);
      },
    });
  }
  return {
    primaryUrl: `mysql://node:a,b@127.0.0.1:${primary.server.port}/svc`,
    replicas,
    async stop() {
      await db.close();
      for (const end of ends) await end();
    },
  };
}

/** Lets a server copy the primary from its first change on. */
async function follow(db: ConnectedDatabase, port: number): Promise<void> {
  const options = (word: 'MASTER' | 'SOURCE'): string =>
    [
      `${word}_HOST = '127.0.0.1'`,
      `${word}_PORT = ${port}`,
      `${word}_USER = 'copy'`,
      `${word}_PASSWORD = 'copy'`,
      `${word}_CONNECT_RETRY = 1`,
    ].join(', ');
  // The position is in a table, so a crash cannot lose it.
  await db.run(
    db.flavour === 'mariadb'
      ? `CHANGE MASTER TO ${options('MASTER')}, MASTER_USE_GTID = slave_pos`
      : `CHANGE REPLICATION SOURCE TO ${options('SOURCE')}, SOURCE_LOG_FILE = 'changes.000002', SOURCE_LOG_POS = 4, GET_SOURCE_PUBLIC_KEY = 1`,
  );
  await db.run('START REPLICA');
}
