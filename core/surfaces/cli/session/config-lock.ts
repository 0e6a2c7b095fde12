import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeWhole } from '#core/runtime/write-file.js';
import { CliError, exit } from '../errors.js';

/** A process that holds the lock for longer than this has died: a refresh takes no longer. */
const staleMs = 30_000;
const waitMs = 50;

/**
 * Runs `work` while no other process of this machine does, for changes to the configuration: the file is read and
 * written as a whole, and a refresh token can be used only once.
 * @param path of the file that the lock is for
 * @throws CliError if another process keeps the lock
 */
export async function withConfigLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const deadline = Date.now() + 2 * staleMs;
  while (!(await taken(lock))) {
    if (Date.now() > deadline)
      throw new CliError(`Another process keeps ${lock}.`, 'Remove the file if no svc is running.', exit.failure);
    await breakStale(lock);
    await pause(waitMs);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Creates the lock file, which fails while it exists. */
async function taken(lock: string): Promise<boolean> {
  try {
    await writeWhole(lock, String(process.pid), 'wx');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a process that died. It is renamed first, so that only one of several processes removes it. */
async function breakStale(lock: string): Promise<void> {
  const found = await stat(lock).catch(() => undefined);
  if (!found) return;
  const isDead = Date.now() - found.mtimeMs > staleMs || !(await isRunning(lock));
  if (!isDead) return;
  const aside = `${lock}.${process.pid}`;
  await rename(lock, aside).catch(() => undefined);
  await rm(aside, { force: true });
}

async function isRunning(lock: string): Promise<boolean> {
  const pid = Number(await readFile(lock, 'utf8').catch(() => ''));
  // Not yet written: its process is about to write it.
  if (!Number.isSafeInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
