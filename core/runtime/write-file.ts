import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file that only its owner can read, and flushes it. After an error, such as a full disk, nothing of the file
 * is left.
 * @param flags 'wx' refuses a path that exists, and leaves it unchanged
 * @throws Error of the file system, with its `code`
 */
export async function writeWhole(path: string, content: Buffer | string, flags: 'w' | 'wx' = 'w'): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
    await file.close();
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

/**
 * Writes a file under another name and renames it, so that readers, also after a crash, find one complete version.
 * After an error, the earlier version is unchanged and no other file is left.
 * @param prepare called with the new file before it is renamed, for example to change its owner
 * @throws Error of the file system, with its `code`
 */
export async function replaceFile(
  path: string,
  content: Buffer | string,
  prepare?: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  await writeWhole(draft, content);
  try {
    await prepare?.(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
