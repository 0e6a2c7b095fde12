import { copyFile, rm, stat, truncate } from 'node:fs/promises';

const mostBytes = 10 * 1024 * 1024;

/**
 * Moves the content of a long log to `<path>.1`, replacing the earlier content. The server continues to write to the
 * same file: it appends, so it writes at the new end. Lines written between the two steps are lost.
 */
export async function rotateLog(path: string, most = mostBytes): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= most) return;
  const earlier = `${path}.1`;
  // On a full disk the earlier lines are given up: the log must not keep it full.
  await copyFile(path, earlier).catch(() => rm(earlier, { force: true }));
  await truncate(path);
}
