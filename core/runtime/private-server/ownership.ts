import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isAlive, startTimeOf } from './processes.js';

/** The svc process that owns a state folder. */
interface Owner {
  pid: number;
  started: string;
}

/** The content of the lock file and its owner; undefined where there is no file, or no owner where the content is invalid. */
async function read(path: string): Promise<{ text: string; owner: Owner | undefined } | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const [, pid, started] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  return { text, owner: pid !== undefined && started !== undefined ? { pid: Number(pid), started } : undefined };
}

const isRunning = ({ pid, started }: Owner): boolean => isAlive(pid) && startTimeOf(pid) === started;

const refusal = (pid: number, path: string): Error =>
  new Error(
    `Another svc process (pid ${pid}) already runs the private database of this state folder (${path}). ` +
      `Stop it first (kill ${pid}), give this process a folder of its own with SVC_STATE_DIR, ` +
      'or let both use one database with SVC_DATABASE_URL.',
  );

/**
 * Makes this process the owner of a state folder. A lock file of a process that has ended is replaced.
 * @param path the lock file
 * @returns a function that releases the folder
 * @throws where a running process owns it
 */
export async function takeOwnership(path: string): Promise<() => Promise<void>> {
  const mine = `${process.pid} ${startTimeOf(process.pid)}\n`;
  const draft = `${path}.${process.pid}`;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await writeFile(draft, mine);
    // link() fails where the name exists, and never shows an incomplete file.
    const taken = await link(draft, path).then(
      () => true,
      () => false,
    );
    await rm(draft, { force: true });
    if (taken) return () => rm(path, { force: true });
    const present = await read(path);
    if (present?.owner && isRunning(present.owner)) throw refusal(present.owner.pid, path);
    if (present) await clearStale(path, present.text);
  }
  throw new Error(`The lock file ${path} cannot be created. Make sure that its folder is writable.`);
}

/** Removes a stale lock file. Where another process was faster, the moved file is that process's lock and is put back. */
async function clearStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${process.pid}.stale`;
  await rename(path, aside).catch(() => undefined);
  const moved = await read(aside);
  if (moved && moved.text !== stale) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}
