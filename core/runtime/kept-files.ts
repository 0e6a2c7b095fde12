import { chmod, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from './id.js';
import { makeFolder } from './make-folder.js';
import { writeWhole } from './write-file.js';

/*
 * A folder of small files, `<id>.<extension>`, of which the newest are kept. Ids begin with their time, so names sort
 * by it.
 */

const madeHere = '[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

/** No dots and no slashes: an id cannot name a file outside the folder. */
const idGrammar = new RegExp(`^${madeHere}$`);
const fileGrammar = new RegExp(`^(${madeHere})\\.([a-z]+)$`);

/** The extension of a file that is still being written. */
const unfinished = 'tmp';

export interface KeptFiles {
  readonly folder: string;
  /** The extension of complete files. */
  readonly extension: string;
  /** How many files are kept; older ones are removed. */
  readonly most: number;
}

/**
 * The files in a folder, newest first, those included that a crash left half written; none when the folder does not
 * exist.
 */
export async function filesIn({
  folder,
  extension,
}: KeptFiles): Promise<{ id: string; name: string; complete: boolean }[]> {
  const names = (await readdir(folder).catch(absent)) ?? [];
  return names
    .sort()
    .reverse()
    .flatMap((name) => {
      const [, id, end] = fileGrammar.exec(name) ?? [];
      return id === undefined || (end !== extension && end !== unfinished)
        ? []
        : [{ id, name, complete: end === extension }];
    });
}

/** The ids of complete files, newest first. */
export const idsIn = async (files: KeptFiles): Promise<string[]> =>
  (await filesIn(files)).flatMap(({ id, complete }) => (complete ? [id] : []));

/** The path of a file; null when the id is not valid. */
export const pathOf = ({ folder, extension }: KeptFiles, id: string): string | null =>
  idGrammar.test(id) ? join(folder, `${id}.${extension}`) : null;

/** The content of a file; undefined when the id is not valid or does not exist. */
export async function readKept(files: KeptFiles, id: string): Promise<Buffer | undefined> {
  const path = pathOf(files, id);
  return path === null ? undefined : readFile(path).catch(absent);
}

/** Removes one file; does nothing if the id is not valid or does not exist. */
export async function removeKept(files: KeptFiles, id: string): Promise<void> {
  const path = pathOf(files, id);
  if (path !== null) await rm(path, { force: true });
}

/** Removes every file that is there now. */
export async function clearKept(files: KeptFiles): Promise<void> {
  for (const id of await idsIn(files)) await removeKept(files, id);
}

/** The first bytes of a file; undefined when it does not exist. */
export async function beginningOf(path: string, bytes: number): Promise<Buffer | undefined> {
  const file = await open(path).catch(absent);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Keeps a file. It is flushed and renamed: readers see all of it or nothing, and it survives a power cut. Only the
 * owner of the process may read it.
 * @returns its id
 * @throws Error of the file system, with its `code`
 */
export async function keepFile(files: KeptFiles, content: Buffer | string): Promise<string> {
  await ensureFolder(files.folder);
  const id = newId();
  await write(files, id, content);
  // After the file is kept, a failure to remove older files is ignored, because a repeat would keep the file twice.
  await prune(files).catch(() => undefined);
  return id;
}

/** @throws Error when the folder cannot be written */
export async function checkWritable({ folder }: KeptFiles): Promise<void> {
  await ensureFolder(folder);
  const probe = join(folder, `${newId()}.${unfinished}`);
  await (await open(probe, 'wx', 0o600)).close();
  await rm(probe);
}

async function ensureFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  await chmod(folder, 0o700);
}

async function write({ folder, extension }: KeptFiles, id: string, content: Buffer | string): Promise<void> {
  const temporary = join(folder, `${id}.${unfinished}`);
  await writeWhole(temporary, content, 'wx');
  try {
    await rename(temporary, join(folder, `${id}.${extension}`));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const directory = await open(folder);
  await directory.sync().finally(() => directory.close());
}

/** Removes files older than the kept ones, and temporary files that a crash left behind. */
async function prune(files: KeptFiles): Promise<void> {
  const all = await filesIn(files);
  const oldest = all.filter(({ complete }) => complete)[files.most - 1];
  const old = oldest ? all.filter(({ id }) => id < oldest.id) : [];
  await Promise.all(old.map(({ name }) => rm(join(files.folder, name), { force: true })));
}

const absent = (error: unknown): undefined => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
};
