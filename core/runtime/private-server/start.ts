import { stat } from 'node:fs/promises';
import { writeInitFile, type Account } from './account.js';
import { initialise } from './initialise.js';
import { freePort, launch, watch, type Running, type Tuning } from './launch.js';
import type { Layout } from './layout.js';
import { findServer } from './processes.js';
import type { Programs } from './programs.js';
import { answers, ask, end, logSince } from './ready.js';

/** What it takes to start the server, once or again. */
export interface Recipe {
  layout: Layout;
  account: Account;
  tuning: Tuning;
  /** Finds the server program, or installs one. */
  programs(): Promise<Programs>;
}

/** Crash recovery reads the whole redo log, on a slow disk for minutes. */
const patienceMs = 300_000;

/**
 * Starts the server on a port and waits until it answers.
 * @throws with the last lines of its log when it does not
 */
export async function startOn(recipe: Recipe, port: number, signal?: AbortSignal): Promise<Running> {
  const { layout, account, tuning } = recipe;
  const programs = await recipe.programs();
  await initialise(layout, programs);
  await writeInitFile(layout, account, programs.maker);
  const written = await stat(layout.log).then(
    ({ size }) => size,
    () => 0,
  );
  const server = await launch(layout, programs, port, tuning);
  try {
    await answers(server, account, { patienceMs, ...(signal && { signal }) });
    return server;
  } catch (error) {
    await end(server);
    throw new Error(
      `${programs.server} did not start. Its log (${layout.log}) says:\n${await logSince(layout.log, written)}`,
      {
        cause: error,
      },
    );
  }
}

/**
 * The server that a killed process left running on this data folder, when it still answers to our account.
 * One that does not is ended, so that a new one can open the data.
 */
async function adopt({ layout, account, tuning }: Recipe): Promise<Running | undefined> {
  const found = findServer(layout.data);
  if (!found) return undefined;
  const server = watch(found);
  try {
    await answers(server, account, { patienceMs: 20_000 });
    await ask(server, account, `SET GLOBAL innodb_flush_log_at_trx_commit = ${tuning.durable ? 1 : 0}`);
    return server;
  } catch {
    await end(server);
    return undefined;
  }
}

/**
 * Takes over the server that is there, or starts one on a free port.
 * @throws when none can be started
 */
export async function adoptOrStart(recipe: Recipe): Promise<{ server: Running; adopted: boolean }> {
  const left = await adopt(recipe);
  if (left) return { server: left, adopted: true };
  for (let tries = 1; ; tries += 1) {
    try {
      return { server: await startOn(recipe, await freePort()), adopted: false };
    } catch (error) {
      // Another program may have taken the port between our look and the server's.
      const portWasTaken = error instanceof Error && /address already in use/i.test(error.message);
      if (!portWasTaken || tries === 3) throw error;
    }
  }
}
