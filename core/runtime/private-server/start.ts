import { stat } from 'node:fs/promises';
import { fullDisk } from './disk.js';
import { rotateLog } from './rotate-log.js';
import { writeInitFile, type DatabaseUser } from './user.js';
import { initialiseData } from './initialise.js';
import { freePort, launch, watchProcess, type Running, type Tuning } from './launch.js';
import type { Layout } from './layout.js';
import { findServer } from './processes.js';
import type { Programs } from './programs.js';
import { waitUntilReady, readNumber, stopServer, readLogSince } from './control.js';

/** The options for starting and restarting the server. */
export interface StartOptions {
  layout: Layout;
  user: DatabaseUser;
  tuning: Tuning;
  unrestricted: boolean;
  /** Finds the server program, or installs one. */
  programs(): Promise<Programs>;
}

/** Crash recovery reads the whole redo log, which takes minutes on a slow disk. */
const startTimeoutMs = 300_000;

/**
 * Starts the server on a port and waits until it answers.
 * @throws Error with the last lines of its log if it does not start
 */
export async function startOn(options: StartOptions, port: number, signal?: AbortSignal): Promise<Running> {
  const { layout, user, tuning } = options;
  const programs = await options.programs();
  await initialiseData(layout, programs);
  await writeInitFile(layout, user, { maker: programs.maker, unrestricted: options.unrestricted });
  await rotateLog(layout.log);
  const written = await stat(layout.log).then(
    ({ size }) => size,
    () => 0,
  );
  const server = await launch(layout, programs, port, tuning);
  try {
    await waitUntilReady(server, options, { timeoutMs: startTimeoutMs, ...(signal && { signal }) });
    return server;
  } catch (error) {
    await stopServer(server);
    const full = await fullDisk(layout.root);
    throw new Error(
      `${programs.server} did not start. ${full === undefined ? '' : `${full} `}Its log (${layout.log}) says:\n${await readLogSince(layout.log, written)}`,
      { cause: error },
    );
  }
}

/**
 * The server that a killed process left running on this data folder, if it still accepts our user and has the required
 * durability. Otherwise it is stopped, so that a new one can open the data.
 */
async function adopt(options: StartOptions): Promise<Running | undefined> {
  const { layout, user, tuning } = options;
  const found = findServer(layout.data);
  if (!found) return undefined;
  const server = watchProcess(found);
  try {
    // An earlier version had its socket elsewhere; waiting for this one would be useless.
    if (found.socket !== layout.socket) throw new Error('The server listens on another socket.');
    await waitUntilReady(server, options, { timeoutMs: 20_000 });
    const isDurable = await readNumber(layout, user, '@@global.innodb_flush_log_at_trx_commit');
    if ((isDurable === 1) === tuning.durable) return server;
  } catch {
    // It does not answer, or it belongs to nobody.
  }
  await stopServer(server);
  return undefined;
}

/**
 * Adopts the running server, or starts one on a free port.
 * @throws if none can be started
 */
export async function adoptOrStart(options: StartOptions): Promise<{ server: Running; adopted: boolean }> {
  const adopted = await adopt(options);
  if (adopted) return { server: adopted, adopted: true };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { server: await startOn(options, await freePort()), adopted: false };
    } catch (error) {
      // Another program may have taken the port since it was found free.
      const isPortTaken = error instanceof Error && /address already in use/i.test(error.message);
      if (!isPortTaken || attempt === 3) throw error;
    }
  }
}
