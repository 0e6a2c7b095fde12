import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from './shell-blocks.js';

const folders = ['config', 'core', 'examples', 'migrations', 'plugins', 'scripts', 'test'];

/** The source files that people write. */
async function sources(): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  return found.flat().filter((name) => name.endsWith('.ts') && !name.endsWith('.gen.ts'));
}

/** Documents that a source file cites and that are not in this repository. A bare name means a file in docs/. */
async function missingCitations(path: string): Promise<string[]> {
  const text = await readFile(join(root, path), 'utf8');
  const cited = [...text.matchAll(/(?<![\w/.-])([\w-]+(?:\/[\w-]+)*\.md)\b/g)].map(([, name = '']) => name);
  return cited
    .filter((name) => !existsSync(join(root, name)) && !existsSync(join(root, 'docs', name)))
    .map((name) => `${path}: ${name}`);
}

describe('Comments', () => {
  it('cite only documents of this repository', async () => {
    expect((await Promise.all((await sources()).map(missingCitations))).flat()).to.deep.equal([]);
  });
});
