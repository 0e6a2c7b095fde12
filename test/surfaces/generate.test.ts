import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { at } from '#test/support/json.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** The files that `npm run generate` reads and writes. */
const copied = [
  '.generated',
  'config',
  'core',
  'openapi.json',
  'package-lock.json',
  'package.json',
  'plugins',
  'README.md',
  'scripts',
  'tsconfig.json',
];

describe('npm run generate, in a copy of this repository', function () {
  this.timeout(120_000);
  let folder: string;
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  const write = (path: string, text: string): Promise<void> => writeFile(join(folder, path), text);
  const generate = async (...words: string[]): Promise<string> => {
    const args = ['--conditions=svc-source', '--import', 'tsx', 'scripts/generate.ts', ...words];
    return (await run(process.execPath, args, { cwd: folder })).stdout;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-generate-'));
    for (const name of copied) await cp(join(root, name), join(folder, name), { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('writes the sources again that are not as generated, and with --sources no committed file', async () => {
    const sdk = 'core/surfaces/sdk/operations.gen.ts';
    const generated = await read(sdk);
    expect(await generate('--sources')).to.equal('');

    await write(sdk, 'by hand');
    await write('openapi.json', '{}');
    expect(await generate('--sources')).to.equal(`Written: ${sdk}\n`);
    expect([await read(sdk), await read('openapi.json')]).to.deep.equal([generated, '{}']);
  });

  it('writes nothing with --check, and fails if a committed file is stale', async () => {
    await write('openapi.json', '{}');
    const readme = (await read('README.md')).replace('| variable | default | nodes | meaning |', '| variable |');
    await write('README.md', readme);
    const refusal: unknown = await generate('--check').catch((error: unknown) => error);
    expect([at(refusal, 'code'), at(refusal, 'stdout')]).to.deep.equal([1, 'Stale: openapi.json, README.md\n']);
    expect([await read('openapi.json'), await read('README.md')]).to.deep.equal(['{}', readme]);
  });
});
