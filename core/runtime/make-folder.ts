import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    },
  );

/**
 * Creates a folder that only its owner may use, and its parents, if they do not exist. `mkdir` with `recursive` never
 * ends if an existing folder cannot contain new ones, such as /proc.
 * @throws Error of the file system, with its `code`
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  await mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
    // Another start may have created it in the meantime.
    if (codeOf(error) !== 'EEXIST' || !(await isFolder(path))) throw error;
  });
}
