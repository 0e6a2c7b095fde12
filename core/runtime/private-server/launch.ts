import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { asRoot } from './initialise.js';
import { removeSocket, type Layout } from './layout.js';
import type { Programs } from './programs.js';
import { isAlive } from './processes.js';

/** A server process: started by this process, or left running by a killed one. */
export interface Running {
  pid: number;
  port: number;
  /** Resolves with the reason when the process ends. */
  ended: Promise<string>;
  hasEnded(): boolean;
}

export interface Tuning {
  durable: boolean;
  bufferPoolBytes: number;
  /** Additional flags of the server, for tests. */
  extra?: readonly string[];
}

const mebibyte = 1024 * 1024;

/** A quarter of the memory that this process may use, 512 MiB at most. */
export function defaultBufferPool(): number {
  // Inside a container this is the container's limit; elsewhere it is 0 or very large.
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.max(8 * mebibyte, Math.min(Math.floor(memory / 4), 512 * mebibyte));
}

/** A TCP port of 127.0.0.1 that is currently free. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** The server's flags. Servers that do not know a "loose" flag ignore it. */
const flags = (layout: Layout, port: number, { durable, bufferPoolBytes, extra = [] }: Tuning): string[] => [
  '--no-defaults',
  `--datadir=${layout.data}`,
  `--tmpdir=${layout.temporary}`,
  `--port=${port}`,
  '--bind-address=127.0.0.1',
  `--socket=${layout.socket}`,
  `--pid-file=${layout.pidFile}`,
  `--init-file=${layout.initFile}`,
  `--secure-file-priv=${layout.files}`,
  '--local-infile=0',
  '--skip-name-resolve',
  '--character-set-server=utf8mb4',
  '--default-time-zone=+00:00',
  '--skip-log-bin',
  '--max-connections=500',
  '--max-allowed-packet=64M',
  `--innodb-buffer-pool-size=${bufferPoolBytes}`,
  '--loose-innodb-log-file-size=128M',
  '--loose-innodb-redo-log-capacity=256M',
  '--loose-performance-schema=OFF',
  '--loose-mysqlx=OFF',
  `--innodb-flush-log-at-trx-commit=${durable ? 1 : 0}`,
  // A server for tests creates and drops hundreds of databases: tables in one shared file are created twice as fast.
  `--loose-innodb-file-per-table=${durable ? 1 : 0}`,
  ...asRoot(layout),
  ...extra,
];

/**
 * Starts the server in its own session, so that Ctrl-C reaches only svc, which stops the server after it has drained.
 */
export async function launch(layout: Layout, programs: Programs, port: number, tuning: Tuning): Promise<Running> {
  await removeSocket(layout);
  const log = await open(layout.log, 'a', 0o600);
  try {
    const child = spawn(programs.server, flags(layout, port, tuning), {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      cwd: layout.root,
      ...layout.systemUser,
    });
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code ?? 0}` : `signal ${signal}`));
    });
    child.unref();
    const hasEnded = (): boolean => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
    return { pid: child.pid ?? 0, port, ended, hasEnded };
  } finally {
    await log.close();
  }
}

/** Watches a server that is not a child of this process. */
export function watchProcess({ pid, port }: Pick<Running, 'pid' | 'port'>): Running {
  const ended = new Promise<string>((resolve) => {
    const timer = setInterval(() => {
      if (isAlive(pid)) return;
      clearInterval(timer);
      resolve('its process does not exist any more');
    }, 200).unref();
  });
  return { pid, port, ended, hasEnded: () => !isAlive(pid) };
}
