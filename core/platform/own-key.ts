import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { newRootKey, parseRootKey } from '#core/runtime/secrets/root-key.js';
import { StartError } from './start-error.js';

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * The key beside the private database, created once. It is renamed when it is complete: a start that is killed leaves no part of it. Only the
 * process that owns the state folder creates one, so none is replaced; a hard link would ask too much of some file systems.
 * @throws StartError where there is a file that cannot be read, or is no key: with another key nothing that is encrypted could be read
 */
export async function ownKey(stateDir: string): Promise<Buffer> {
  const path = join(stateDir, 'secret-key');
  const kept = await readKey(path);
  if (kept) return kept;
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, 'w', 0o600);
  await file.writeFile(`${newRootKey()}\n`);
  await file.sync();
  await file.close();
  await rename(draft, path);
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

const unusable = (path: string, cause: unknown): StartError =>
  new StartError(
    `The secret key of the private database, ${path}, cannot be used (${cause instanceof Error ? cause.message : String(cause)}). Make the file readable for this user, restore it from a backup, or set SVC_SECRET_KEY to what it was.`,
    { cause },
  );
