import { statfs } from 'node:fs/promises';

/** Less than one extent of InnoDB, by which its files grow when they are large. */
const leastBytes = 4 * 1024 * 1024;

/**
 * Whether the disk of a folder has no space left.
 * @returns a sentence that names the folder and the next step; undefined if there is space, or if the file system does
 *   not report it
 */
export async function fullDisk(folder: string): Promise<string | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  if (!found) return undefined;
  const { bavail, bsize, files, ffree } = found;
  const hasSpace = bavail * bsize >= leastBytes && (files === 0 || ffree > 0);
  return hasSpace ? undefined : `The disk of ${folder} is full: free space there.`;
}
