import type { Log } from '../log.js';
import { keepAccount } from './account.js';
import { installPrograms } from './install.js';
import { layOut } from './layout.js';
import { defaultBufferPool } from './launch.js';
import { takeOwnership } from './owner.js';
import { findPrograms } from './programs.js';
import { adoptOrStart, type Recipe } from './start.js';
import { supervise } from './supervise.js';

/** A MariaDB or MySQL server that belongs to this process. */
export interface PrivateServer {
  /** mysql://user:password@127.0.0.1:port, without a database. It stays the same when the server is restarted. */
  readonly url: string;
  /** The server's process, another one after a restart. */
  readonly pid: number;
  /** The url of one database on it, which need not exist yet. */
  databaseUrl(name: string): string;
  /** Ends the server and gives the state folder back. Calling it again does nothing more. */
  stop(): Promise<void>;
}

export interface PrivateServerOptions {
  /** The deployment's state folder; the server keeps everything in `database/` under it. */
  stateDir: string;
  log: Pick<Log, 'debug' | 'info' | 'warn'>;
  /** Gets what a person should see while the first start takes its time. */
  progress?: (line: string) => void;
  /** Whether a commit survives a power cut. False is for tests only. */
  durable?: boolean;
  /** By default a quarter of the memory, 512 MiB at most. */
  bufferPoolBytes?: number;
}

/**
 * Starts a private database server, or takes over the one that a killed process left on the same state folder, and
 * keeps it running until `stop()`. Installs MariaDB with apt when the machine has no server and this user may.
 * @throws when a living process owns the state folder, when there is no server program and none can be installed (the
 * message lists the ways to get one), or when the server does not start (the message carries the end of its log)
 */
export async function startPrivateServer(options: PrivateServerOptions): Promise<PrivateServer> {
  const { log, progress = () => undefined, durable = true, bufferPoolBytes = defaultBufferPool() } = options;
  const layout = await layOut(options.stateDir);
  const giveBack = await takeOwnership(layout.lock);
  try {
    const recipe: Recipe = {
      layout,
      account: await keepAccount(layout),
      tuning: { durable, bufferPoolBytes },
      programs: async () => (await findPrograms()) ?? (await installPrograms(progress)),
    };
    const { server, adopted } = await adoptOrStart(recipe);
    log.debug({ pid: server.pid, port: server.port, adopted }, 'The private database server runs.');
    const supervised = supervise(recipe, server, log);
    const url = `mysql://${recipe.account.user}:${recipe.account.password}@127.0.0.1:${server.port}`;
    let stopped: Promise<void> | undefined;
    return {
      url,
      get pid() {
        return supervised.current().pid;
      },
      databaseUrl: (name) => `${url}/${encodeURIComponent(name)}`,
      stop: () => (stopped ??= supervised.stop().then(giveBack)),
    };
  } catch (error) {
    await giveBack();
    throw error;
  }
}
