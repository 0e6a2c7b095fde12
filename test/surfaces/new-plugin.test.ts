import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { startNode, type NodeProcess } from '#test/faults/support/node.js';
import { createTestDatabase } from '#test/support/database.js';
import { at } from '#test/support/json.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const fromSources = ['--conditions=svc-source', '--import', 'tsx'];
const run = promisify(execFile);

/** The smallest plugin of docs/plugins.md, as it stands there. */
async function documentedPlugin(): Promise<string> {
  const chapter = await readFile(join(root, 'docs/plugins.md'), 'utf8');
  const source = /`plugins\/ping\/index\.ts`:\n\n```ts\n([\s\S]*?)```/.exec(chapter)?.[1];
  if (source === undefined) throw new Error('docs/plugins.md no longer shows plugins/ping/index.ts.');
  return source;
}

const program = `import { Svc } from './core/surfaces/sdk/index.js';
const svc = new Svc({ apiKey: process.env['SVC_API_KEY'] ?? '', baseUrl: process.argv[2] ?? '' });
const { word } = await svc.ping.echo({ word: 'by the SDK' });
const said: string = word;
// @ts-expect-error -- a word is a text
void ((): unknown => svc.ping.echo({ word: 1 }));
process.stdout.write(said);
`;

/** One folder more, and \`npm run generate\`: nothing else is edited. */
describe('The plugin of docs/plugins.md in a copy of this repository', function () {
  this.timeout(180_000);
  const state: { folder?: string; node?: NodeProcess; key?: string; drop?: () => Promise<void> } = {};
  const folder = (): string => state.folder ?? '';
  const address = (): string => state.node?.address ?? '';
  const environment = (): Record<string, string> => ({
    PATH: process.env['PATH'] ?? '',
    SVC_API_KEY: state.key ?? '',
    XDG_CONFIG_HOME: join(folder(), 'config-home'),
  });
  const node = async (...words: string[]): Promise<string> =>
    (await run(process.execPath, [...fromSources, ...words], { cwd: folder(), env: environment() })).stdout;

  before(async () => {
    state.folder = await mkdtemp(join(tmpdir(), 'svc-plugin-'));
    for (const name of ['config', 'core', 'migrations', 'plugins', 'scripts', 'package.json', 'tsconfig.json'])
      await cp(join(root, name), join(folder(), name), { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder(), 'node_modules'));
    await mkdir(join(folder(), 'plugins/ping'));
    await writeFile(join(folder(), 'plugins/ping/index.ts'), await documentedPlugin());
    await writeFile(join(folder(), 'program.ts'), program);
    await node('scripts/generate.ts');
    const { url, drop } = await createTestDatabase();
    state.drop = drop;
    state.node = await startNode(
      {
        SVC_PORT: '0',
        SVC_STATE_DIR: join(folder(), 'var'),
        SVC_DATABASE_URL: url,
        SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      },
      folder(),
    );
    const facts: unknown = JSON.parse(await readFile(join(folder(), 'var/first-run.json'), 'utf8'));
    state.key = String(at(facts, 'keys', 'live', 'secret'));
  });
  after(async () => {
    await state.node?.stop();
    await state.drop?.();
    if (state.folder !== undefined) await rm(state.folder, { recursive: true, force: true });
  });

  it('answers over HTTP, with and without /v1', async () => {
    for (const path of ['/ping/echo', '/v1/ping/echo']) {
      const answer = await fetch(address() + path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${state.key ?? ''}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ word: 'hello' }),
      });
      expect(at(await answer.json(), 'result')).to.deep.equal({ word: 'hello' });
    }
  });

  it('stands in /openapi.json and in the file of it', async () => {
    const served: unknown = await (await fetch(`${address()}/openapi.json`)).json();
    const written: unknown = JSON.parse(
      await readFile(join(folder(), 'core/surfaces/openapi/openapi.gen.json'), 'utf8'),
    );
    for (const document of [served, written]) {
      const post = at(document, 'paths', '/ping/echo', 'post');
      expect([at(post, 'operationId'), at(post, 'x-svc-permission')]).to.deep.equal(['ping.echo', 'ping:read']);
    }
  });

  it('is a method of the SDK, with types that the compiler holds a program to', async () => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--types',
      'node',
      '--lib',
      'es2023,dom',
    ];
    await run(process.execPath, [compiler, ...flags, '--ignoreConfig', 'program.ts'], { cwd: folder() });
    expect(await node('program.ts', address())).to.equal('by the SDK');
  });

  it('is a command, with its flags, help and completion', async () => {
    const said = await node(
      'scripts/svc.ts',
      'ping',
      'echo',
      '--word',
      'by command',
      '--json',
      '--base-url',
      address(),
    );
    expect(at(JSON.parse(said), 'result', 'word')).to.equal('by command');
    expect(await node('scripts/svc.ts', 'ping', 'echo', '--help')).to.contain('svc ping echo --word hello');
    expect(await node('scripts/svc.ts', 'completion', 'bash')).to.contain("'ping echo') commands='' flags='--word");
  });

  it('is an MCP tool', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const words = ['scripts/svc.ts', 'mcp', '--mode', 'full', '--products', 'ping', '--base-url', address()];
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [...fromSources, ...words],
        cwd: folder(),
        env: environment(),
      }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.deep.equal(['ping_echo']);
    const { structuredContent } = await client.callTool({ name: 'ping_echo', arguments: { word: 'by a tool' } });
    await client.close();
    expect(at(structuredContent, 'result')).to.deep.equal({ word: 'by a tool' });
  });

  it('stands on the reference page, in every form', async () => {
    const page = await (await fetch(`${address()}/reference`)).text();
    expect(page).to.contain('id="ping.echo"').and.contain('await svc.ping.echo(').and.contain('svc ping echo');
  });
});
