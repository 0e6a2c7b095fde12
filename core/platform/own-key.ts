import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newRootKey, parseRootKey } from '#core/runtime/secrets/root-key.js';
import { replaceFile } from '#core/runtime/write-file.js';
import { StartError } from './start-error.js';

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * The key next to the private database, created once. It is renamed when it is complete, so a start that is killed
 * leaves no partial file. Only the process that owns the state folder creates one, so no key is replaced; some file
 * systems do not support hard links.
 * @param isNeeded whether the database was opened with a key before: then none is created, because only that key opens
 *   it
 * @throws StartError if the file is missing and needed, cannot be read, or is not a key: with another key, no encrypted
 *   value could be read
 */
export async function ownKey(stateDir: string, isNeeded: () => Promise<boolean>): Promise<Buffer> {
  const path = join(stateDir, 'secret-key');
  const kept = await readKey(path);
  if (kept) return kept;
  if (await isNeeded()) throw missing(path);
  await replaceFile(path, `${newRootKey()}\n`);
  const made = await readKey(path);
  if (!made) throw unusable(path, new Error('it was removed meanwhile'));
  return made;
}

async function readKey(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw unusable(path, error);
  });
  return text === undefined ? undefined : parsed(text, path);
}

function parsed(text: string, path: string): Buffer {
  try {
    return parseRootKey(text);
  } catch {
    throw unusable(path, new Error('it is not 32 bytes as base64 or as 64 hexadecimal digits'));
  }
}

const missing = (path: string): StartError =>
  new StartError(
    `The secret key of the private database, ${path}, is missing. Only this key opens the database, so no other one was created.\n  Restore the file from a backup of the state folder, or set SVC_SECRET_KEY to the key that svc was last started with.`,
  );

const unusable = (path: string, cause: unknown): StartError =>
  new StartError(
    `The secret key of the private database, ${path}, cannot be used (${cause instanceof Error ? cause.message : String(cause)}). Make the file readable for this user, restore it from a backup, or set SVC_SECRET_KEY to what it was.`,
    { cause },
  );
