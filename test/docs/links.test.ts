import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { root } from './shell-blocks.js';

const skipped = new Set(['node_modules', 'dist', 'var', '.git']);

/** Every Markdown file of the repository, by its path in it. */
async function documents(folder = ''): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter(({ name }) => !skipped.has(name))
      .map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return documents(path);
        return entry.name.endsWith('.md') ? [path] : [];
      }),
  );
  return found.flat();
}

/** A heading’s anchor, as code hosts make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsIn = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Links of a document to files of this repository that are not there, or to headings that these do not have. */
async function brokenLinks(path: string): Promise<string[]> {
  const text = await readFile(join(root, path), 'utf8');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const local = targets.filter((target) => !/^[a-z]+:/.test(target));
  const broken = await Promise.all(
    local.map(async (target) => {
      const [file = '', anchor] = target.split('#');
      const full = file === '' ? join(root, path) : join(root, dirname(path), file);
      if (!existsSync(full)) return true;
      return anchor !== undefined && !anchorsIn(await readFile(full, 'utf8')).includes(anchor);
    }),
  );
  return local.filter((_, index) => broken[index]).map((target) => `${path}: ${target}`);
}

/** Files that a document names in backticks, such as `core/runtime/fault.ts`, and that are not there. */
async function missingFiles(path: string): Promise<string[]> {
  const text = await readFile(join(root, path), 'utf8');
  const named = text.matchAll(/`((?:config|core|docs|examples|migrations|plugins|scripts|test)\/[\w./-]+)`/g);
  return [...named]
    .map(([, name = '']) => name)
    .filter((name) => !name.includes('ping') && !existsSync(join(root, name)))
    .map((name) => `${path}: ${name}`);
}

describe('The documents of this repository', () => {
  it('link to files and headings that are there', async () => {
    const all = await documents();
    expect(all).to.include.members(['README.md', 'docs/architecture.md', 'CONTRIBUTING.md']);
    expect((await Promise.all(all.map(brokenLinks))).flat()).to.deep.equal([]);
  });

  it('name files that are there', async () => {
    expect((await Promise.all((await documents()).map(missingFiles))).flat()).to.deep.equal([]);
  });

  it('list every decision', async () => {
    const records = (await readdir(join(root, 'docs/decisions'))).filter((name) => /^\d{4}-.+\.md$/.test(name));
    const index = await readFile(join(root, 'docs/decisions/README.md'), 'utf8');
    expect([...index.matchAll(/\((\d{4}-[^)]+)\)/g)].map(([, name]) => name)).to.deep.equal(records.sort());
  });
});
