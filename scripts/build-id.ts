import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/*
 * Writes dist/build-id: what tells two builds of one release apart (core/surfaces/version.ts). It is the commit, or a
 * digest of the compiled files without a repository, or in one with changes: the same sources give the same id.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const file = join(dist, 'build-id');
const digits = 12;

const git = async (...words: string[]): Promise<string> =>
  (await promisify(execFile)('git', words, { cwd: root })).stdout.trim();

/** @returns undefined without a repository of svc's own, and with changes that are not committed */
async function commit(): Promise<string | undefined> {
  try {
    if ((await git('rev-parse', '--show-prefix')) !== '' || (await git('status', '--porcelain')) !== '')
      return undefined;
    return await git('rev-parse', 'HEAD');
  } catch {
    return undefined;
  }
}

async function digestOfFiles(): Promise<string> {
  const digest = createHash('sha256');
  const paths = (await readdir(dist, { recursive: true })).filter((path) => path.endsWith('.js')).sort();
  for (const path of paths) digest.update(path).update(await readFile(join(dist, path)));
  return digest.digest('hex');
}

await writeFile(file, `${((await commit()) ?? (await digestOfFiles())).slice(0, digits)}\n`);
