import { link, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../write-file.js';
import { isAlive, startTimeOf } from './processes.js';

/** The svc process that owns a state folder. */
interface Owner {
  pid: number;
  started: string;
}

/** If the file system has no hard links, the lock is a folder with this file. */
const inFolder = (folder: string): string => join(folder, 'owner');

const lacksHardLinks = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].some((code) => code === error.code);

/**
 * Gives a complete file the name of the lock, if that is free: neither a link nor a folder's rename replaces an
 * existing entry, and neither shows an incomplete file.
 * @returns whether it was free
 */
async function place(draft: string, path: string): Promise<boolean> {
  const refused = await refusalOfLink(draft, path);
  if (!lacksHardLinks(refused)) return refused === undefined;
  const folder = `${draft}.folder`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  await rename(draft, inFolder(folder));
  return moveFolder(folder, path);
}

const refusalOfLink = (from: string, to: string): Promise<unknown> =>
  link(from, to).then(
    () => undefined,
    (error: unknown) => error,
  );

/** A folder that is not empty is not replaced. */
async function moveFolder(folder: string, path: string): Promise<boolean> {
  const moved = await rename(folder, path).then(
    () => true,
    () => false,
  );
  if (!moved) await rm(folder, { recursive: true, force: true });
  return moved;
}

/** Removes the lock in one step, so that nobody takes an empty folder for a free name. */
async function remove(path: string): Promise<void> {
  const aside = `${path}.${process.pid}.released`;
  await rename(path, aside).catch(() => undefined);
  await rm(aside, { recursive: true, force: true });
}

/** The content of the lock file and its owner; undefined without a file, or no owner if the content is invalid. */
async function read(path: string): Promise<{ text: string; owner: Owner | undefined } | undefined> {
  const text = await readFile(path, 'utf8')
    .catch(() => readFile(inFolder(path), 'utf8'))
    .catch(() => undefined);
  if (text === undefined) return undefined;
  const [, pid, started] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  return { text, owner: pid !== undefined && started !== undefined ? { pid: Number(pid), started } : undefined };
}

const isRunning = ({ pid, started }: Owner): boolean => isAlive(pid) && startTimeOf(pid) === started;

const refusal = (pid: number, path: string): Error =>
  new Error(
    `Another svc process (pid ${pid}) already runs the private database of this state folder (${path}). ` +
      `Stop it first (kill ${pid}), give this process its own folder with SVC_STATE_DIR, ` +
      'or let both use one database with SVC_DATABASE_URL.',
  );

/**
 * Makes this process the owner of a state folder. A lock file of a process that has ended is replaced.
 * @param path the lock file
 * @returns a function that releases the folder
 * @throws if a running process owns it
 */
export async function takeOwnership(path: string): Promise<() => Promise<void>> {
  const mine = `${process.pid} ${startTimeOf(process.pid)}\n`;
  const draft = `${path}.${process.pid}`;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await writeWhole(draft, mine);
    const taken = await place(draft, path);
    await rm(draft, { force: true });
    if (taken) return () => remove(path);
    const present = await read(path);
    if (present?.owner && isRunning(present.owner)) throw refusal(present.owner.pid, path);
    if (present) await clearStale(path, present.text);
  }
  throw new Error(`The lock file ${path} cannot be created. Make sure that its folder is writable.`);
}

/** Removes a stale lock file. If another process was faster, the moved file is that process's lock and is put back. */
async function clearStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${process.pid}.stale`;
  await rename(path, aside).catch(() => undefined);
  const moved = await read(aside);
  if (moved && moved.text !== stale && lacksHardLinks(await refusalOfLink(aside, path))) await moveFolder(aside, path);
  await rm(aside, { recursive: true, force: true });
}
