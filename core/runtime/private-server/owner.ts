import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isAlive, startOf } from './processes.js';

/** The svc process that owns a state folder. */
interface Owner {
  pid: number;
  started: string;
}

/** What the lock file says, or undefined when it is absent or was never written whole. */
async function read(path: string): Promise<{ text: string; owner: Owner | undefined } | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const [, pid, started] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  return { text, owner: pid !== undefined && started !== undefined ? { pid: Number(pid), started } : undefined };
}

const lives = ({ pid, started }: Owner): boolean => isAlive(pid) && startOf(pid) === started;

const refusal = (pid: number, path: string): Error =>
  new Error(
    `Another svc process (pid ${pid}) already runs the private database of this state folder (${path}). ` +
      `Stop it first (kill ${pid}), or give this process a folder of its own with SVC_STATE_DIR, ` +
      'or let both use one database with SVC_DATABASE_URL.',
  );

/**
 * Takes the lock of a state folder for this process. A lock whose process is gone is taken over.
 * @param path the lock file
 * @returns how to give it back
 * @throws when a living process holds it
 */
export async function takeOwnership(path: string): Promise<() => Promise<void>> {
  const mine = `${process.pid} ${startOf(process.pid)}\n`;
  const draft = `${path}.${process.pid}`;
  for (let tries = 0; tries < 20; tries += 1) {
    await writeFile(draft, mine);
    // link() fails on an existing name and never shows a half-written file.
    const taken = await link(draft, path).then(
      () => true,
      () => false,
    );
    await rm(draft, { force: true });
    if (taken) return () => rm(path, { force: true });
    const held = await read(path);
    if (held?.owner && lives(held.owner)) throw refusal(held.owner.pid, path);
    if (held) await clearStale(path, held.text);
  }
  throw new Error(`The lock file ${path} could not be taken; is its folder writable?`);
}

/** Takes a stale lock away, unless another process was quicker: then what was moved is its lock, and goes back. */
async function clearStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${process.pid}.stale`;
  await rename(path, aside).catch(() => undefined);
  const moved = await read(aside);
  if (moved && moved.text !== stale) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}
