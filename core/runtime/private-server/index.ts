import type { Log } from '../log.js';
import { loadOrCreateUser, ownDatabase } from './user.js';
import { installPrograms } from './install.js';
import { createLayout } from './layout.js';
import { defaultBufferPool } from './launch.js';
import { takeOwnership } from './ownership.js';
import { findPrograms } from './programs.js';
import { serverUsers } from './system-user.js';
import { adoptOrStart, type StartOptions } from './start.js';
import { supervise } from './supervise.js';

/** A MariaDB or MySQL server that belongs to this process. */
export interface PrivateServer {
  /**
   * mysql://user:password@localhost?socketPath=/path, without a database. It does not change when the server is
   * restarted.
   */
  readonly url: string;
  /** The port of 127.0.0.1 that it also listens on, for other programs. It does not change either. */
  readonly port: number;
  /** The server's process; it changes when the server is restarted. */
  readonly pid: number;
  /** The URL of its database, or of another one if the server is unrestricted. The database need not exist. */
  databaseUrl(name?: string): string;
  /** Stops the server and releases the state folder. Later calls do nothing. */
  stop(): Promise<void>;
}

export interface PrivateServerOptions {
  /** The deployment's state folder; all files of the server are in `database/` under it. */
  stateDir: string;
  log: Pick<Log, 'debug' | 'info' | 'warn'>;
  /** Called with lines for the user, because the first start may take long. */
  progress?: (line: string) => void;
  /** Whether commits survive a power failure; false only in tests. */
  durable?: boolean;
  /**
   * Whether the user may do everything on the server, such as creating databases; true only in tests. Otherwise it may
   * use one.
   */
  unrestricted?: boolean;
  /**
   * The users that the server may run as if this process is root, in order of preference; root itself if none of them
   * can.
   */
  systemUsers?: readonly string[];
  /** Additional flags of the server. A later one replaces an earlier one of the same name. */
  flags?: readonly string[];
  /** A quarter of the memory by default, 512 MiB at most. */
  bufferPoolBytes?: number;
}

/**
 * Starts a private database server, or adopts the one that a killed process left running on the same state folder, and
 * keeps it running until `stop()`. Installs MariaDB with apt if the machine has no server and this user may install
 * one.
 * @throws if another running process owns the state folder, if no server program exists and none can be installed
 *   (the message lists the ways to get one), or if the server does not start (the message contains the end of its log)
 */
export async function startPrivateServer(options: PrivateServerOptions): Promise<PrivateServer> {
  const {
    log,
    progress = () => undefined,
    durable = true,
    bufferPoolBytes = defaultBufferPool(),
    flags = [],
  } = options;
  const layout = await createLayout(options.stateDir, options.systemUsers ?? serverUsers);
  const release = await takeOwnership(layout.lock);
  try {
    const startOptions: StartOptions = {
      layout,
      user: await loadOrCreateUser(layout),
      tuning: { durable, bufferPoolBytes, extra: flags },
      unrestricted: options.unrestricted === true,
      programs: async () => (await findPrograms()) ?? (await installPrograms(progress)),
    };
    const { server, adopted } = await adoptOrStart(startOptions);
    log.debug({ pid: server.pid, port: server.port, adopted }, 'The private database server is running.');
    const supervised = supervise(startOptions, server, log);
    const urlOf = (path: string): string =>
      `mysql://${startOptions.user.user}:${startOptions.user.password}@localhost${path}?socketPath=${encodeURIComponent(layout.socket)}`;
    let stopped: Promise<void> | undefined;
    return {
      url: urlOf(''),
      port: server.port,
      get pid() {
        return supervised.current().pid;
      },
      databaseUrl: (name = ownDatabase) => urlOf(`/${encodeURIComponent(name)}`),
      stop: () => (stopped ??= supervised.stop().then(release)),
    };
  } catch (error) {
    await release();
    throw error;
  }
}
