import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startNode, type NodeProcess } from '#test/faults/support/node.js';
import { compiledProgram } from '#test/support/compiled.js';
import { createTestDatabase } from '#test/support/database.js';
import { root, shellBlocks } from './shell-blocks.js';

const run = promisify(execFile);
const documents = ['README.md', 'docs/using.md'];

/** `npx svc`, from this test run's build. */
const npx = `npx() { shift; '${process.execPath}' '${compiledProgram('scripts/svc.ts')}' "$@"; }`;

/** What a newcomer types, in one shell: the README, and then the page that goes on from it. */
describe('The commands of README.md and docs/using.md', function () {
  this.timeout(120_000);
  const state: { folder?: string; node?: NodeProcess; drop?: () => Promise<void> } = {};
  const folder = (): string => state.folder ?? '';
  const settings = { SVC_DATABASE_URL: '', SVC_SECRET_KEY: randomBytes(32).toString('base64') };

  before(async () => {
    state.folder = await mkdtemp(join(tmpdir(), 'svc-docs-'));
    await symlink(join(root, 'examples'), join(folder(), 'examples'));
    const { url, drop } = await createTestDatabase();
    state.drop = drop;
    settings.SVC_DATABASE_URL = url;
    state.node = await startNode({ ...settings, SVC_PORT: '0', SVC_STATE_DIR: join(folder(), 'var') });
    // The file contains the address from the settings; port 0 is resolved only once the server listens.
    const path = join(folder(), 'var/first-run.json');
    const facts: unknown = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify(Object.assign({}, facts, { baseUrl: state.node.address })));
  });
  after(async () => {
    await state.node?.stop();
    await state.drop?.();
    if (state.folder !== undefined) await rm(state.folder, { recursive: true, force: true });
  });

  it('all succeed as they stand', async () => {
    const blocks = (await Promise.all(documents.map((document) => shellBlocks(document))))
      .flat()
      .filter(({ notRun }) => notRun === undefined);
    expect(blocks).to.have.length.greaterThan(6);
    const script = blocks.map(({ text }) => text.replaceAll('http://127.0.0.1:8080', state.node?.address ?? ''));
    const shell = await run('bash', ['-e', '-c', [npx, ...script].join('\n')], {
      cwd: folder(),
      env: { PATH: process.env['PATH'], HOME: folder(), XDG_CONFIG_HOME: join(folder(), 'config'), ...settings },
    }).catch((error: unknown) => {
      // What it printed says more than the message, which repeats the script.
      throw new Error(JSON.stringify(error, undefined, 1));
    });
    expect(shell.stdout).not.to.contain('"error":');
    expect(shell.stdout.match(/"result":/g)).to.have.length.greaterThan(6);
  });
});
