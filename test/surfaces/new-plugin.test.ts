import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { freePort } from '#core/runtime/private-server/launch.js';
import { startNode, type NodeProcess } from '#test/faults/support/node.js';
import { shellBlocks } from '#test/docs/shell-blocks.js';
import { createTestDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { startHttpFake, type HttpFake } from '#test/support/http-fake.js';
import { at, recordAt } from '#test/support/json.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const fromSources = ['--conditions=svc-source', '--import', 'tsx'];
const run = promisify(execFile);

const guide = 'docs/plugins.md';
const example = 'examples/plugin';

interface Excerpt {
  path: string;
  source: string;
}

/** The TypeScript blocks of a part of the guide, with the file of the product that the line above each block names. */
function excerptsOf(part: string): Excerpt[] {
  const blocks = part.matchAll(
    /^`((?:plugins|migrations|test)\/ping\/[^`]+)`:\n\n(?:<!-- prettier-ignore -->\n)?```ts\n([\s\S]*?)^```$/gm,
  );
  return [...blocks].map(([, path = '', source = '']) => ({ path, source }));
}

/** The guide's chapters: the smallest plugin, which is one file, and all others, which quote the example's files. */
async function readGuide(): Promise<{ smallest: Excerpt[]; quoted: Excerpt[] }> {
  const chapters = (await readFile(join(root, guide), 'utf8')).split(/^## /m);
  const isSmallest = (chapter: string): boolean => chapter.startsWith('The smallest plugin\n');
  return {
    smallest: chapters.filter(isSmallest).flatMap(excerptsOf),
    quoted: chapters.filter((chapter) => !isSmallest(chapter)).flatMap(excerptsOf),
  };
}

/** Signs end users in, as the auth product will: every environment has the user “ada-token”. */
const authStandIn = `import { definePlugin } from '#core/kernel/plugin.js';
export default definePlugin({
  name: 'door',
  summary: 'Signs users in.',
  tables: [],
  operations: [],
  events: {},
  errors: {},
  authenticators: () => ({
    findUserSession: async (accessToken) =>
      accessToken === 'ada-token'
        ? {
            userId: '01890a5d-ac96-774b-bcce-b302099a8057',
            sessionFamilyId: '01890a5d-ac96-774b-bcce-b302099a8058',
            tokenExpiresAt: new Date(8.64e15),
            label: 'ada@example.com',
            email: 'ada@example.com',
            signedInAt: new Date(),
            secondFactor: false,
            lacksActiveFactor: false,
            lacksRequiredFactor: false,
            impersonator: null,
          }
        : null,
  }),
});
`;

const program = `import { Svc } from './core/surfaces/sdk/index.js';
const svc = new Svc({ apiKey: process.env['SVC_API_KEY'] ?? '', baseUrl: process.argv[2] ?? '' });
const { word } = await svc.ping.echo({ word: 'by the SDK' });
const said: string = word;
// @ts-expect-error -- a word is a text
void ((): unknown => svc.ping.echo({ word: 1 }));
process.stdout.write(said);
`;

/** The copied folders and `npm run generate`: nothing else is edited. */
describe('The plugin of docs/plugins.md in a copy of this repository', function () {
  this.timeout(300_000);
  const state: {
    folder?: string;
    node?: NodeProcess;
    key?: string;
    publishableKey?: string;
    environmentId?: string;
    port?: number;
    drop?: () => Promise<void>;
    receiver?: HttpFake;
  } = {};
  const forwarded: string[] = [];
  const secret = randomBytes(16).toString('hex');
  const folder = (): string => state.folder ?? '';
  const address = (): string => state.node?.address ?? '';
  const environment = (): Record<string, string> => ({
    PATH: process.env['PATH'] ?? '',
    SVC_API_KEY: state.key ?? '',
    SVC_PUBLISHABLE_KEY: state.publishableKey ?? '',
    XDG_CONFIG_HOME: join(folder(), 'config-home'),
  });
  const add = async (files: readonly Excerpt[]): Promise<void> => {
    for (const { path, source } of files) {
      await mkdir(dirname(join(folder(), path)), { recursive: true });
      await writeFile(join(folder(), path), source);
    }
  };
  /** Runs a block of commands of a chapter of the guide, as they are, in the copy. @param index from 0 */
  const follow = async (heading: string, index: number): Promise<string> => {
    const block = (await shellBlocks(guide, heading)).filter(({ notRun }) => notRun === undefined)[index];
    if (!block) throw new Error(`${guide} has no block ${index} of commands under “${heading}”.`);
    const npx = `npx() { shift; '${process.execPath}' ${fromSources.join(' ')} scripts/svc.ts "$@"; }`;
    const commands = block.text.replaceAll('http://127.0.0.1:8080', address());
    const shell = await run('bash', ['-e', '-c', `${npx}\n${commands}`], {
      cwd: folder(),
      env: { ...process.env, ...environment() },
    }).catch((error: unknown) => {
      throw new Error(JSON.stringify(error, undefined, 1));
    });
    return shell.stdout;
  };
  /** The repository's tests and the product's, which were left out until they are needed. */
  const addTests = async (): Promise<void> => {
    for (const from of [join(root, 'test'), join(root, example, 'test')])
      await cp(from, join(folder(), 'test'), { recursive: true });
  };
  const environmentId = (): string => state.environmentId ?? '';
  const post = (path: string, key: string, input: object): Promise<Response> =>
    fetch(address() + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
    });
  const call = async (path: string, key: string, input: object): Promise<unknown> => {
    const body: unknown = await (await post(path, key, input)).json();
    return at(body, 'result') ?? at(body, 'error', 'code');
  };
  const listed = async (): Promise<unknown> =>
    at(await (await fetch(`${address()}/ping/${environmentId()}/words.json`)).json(), 'words');
  const node = async (...words: string[]): Promise<string> =>
    (await run(process.execPath, [...fromSources, ...words], { cwd: folder(), env: environment() })).stdout;

  before(async () => {
    state.folder = await mkdtemp(join(tmpdir(), 'svc-plugin-'));
    const files = ['LICENSE', 'package.json', 'tsconfig.json'];
    for (const name of ['config', 'core', 'migrations', 'plugins', 'scripts', ...files])
      await cp(join(root, name), join(folder(), name), { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder(), 'node_modules'));
    await cp(join(root, example), join(folder(), example), { recursive: true });
    await add((await readGuide()).smallest);
    await node('scripts/generate.ts');
    await follow('The complete example', 0);
    await add([{ path: 'plugins/door/index.ts', source: authStandIn }]);
    state.receiver = await startHttpFake(({ body }, response) => {
      forwarded.push(body);
      response.end();
    });
    state.port = await freePort();
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
        SVC_PING_SECRET: secret,
        SVC_PING_PORT: String(state.port),
        SVC_PING_FORWARD_URL: state.receiver.url,
        SVC_OUTBOUND_ALLOW: '127.0.0.0/8',
      },
      folder(),
    );
    const facts: unknown = JSON.parse(await readFile(join(folder(), 'var/first-run.json'), 'utf8'));
    state.key = String(at(facts, 'keys', 'live', 'secret'));
    state.publishableKey = String(at(facts, 'keys', 'live', 'publishable'));
    state.environmentId = String(at(facts, 'environments', 'live'));
  });
  after(async () => {
    await state.node?.stop();
    await state.drop?.();
    await state.receiver?.close();
    if (state.folder !== undefined) await rm(state.folder, { recursive: true, force: true });
  });

  it('is quoted by the guide as it is', async () => {
    const { quoted } = await readGuide();
    expect(quoted).to.have.length.greaterThan(5);
    for (const { path, source } of quoted)
      expect(await readFile(join(root, example, path), 'utf8'), path).to.contain(source);
  });

  it('answers over HTTP, with and without /v1', async () => {
    for (const path of ['/ping/echo', '/v1/ping/echo'])
      expect(await call(path, state.key ?? '', { word: 'hello' })).to.deep.equal({ word: 'hello' });
  });

  it('writes its table, an event and an audit record, and answers its own error code', async () => {
    expect(await call('/ping/word/add', state.key ?? '', { word: 'tea' })).to.deep.equal({ word: 'tea' });
    expect(await call('/ping/word/add', state.key ?? '', { word: 'tea' })).to.equal('word_known');
    expect(await call('/ping/word/suggest', state.publishableKey ?? '', { word: 'milk' })).to.deep.equal({
      word: 'milk',
    });
    expect(await call('/ping/word/suggest', state.key ?? '', { word: 'ice' })).to.equal('publishable_key_required');
    expect(await listed()).to.deep.equal(['milk', 'tea']);
    // The log shows an event once it has its position, which it gets after the call.
    const lastWord = async (): Promise<unknown> =>
      at(await call('/developers/event/list', state.key ?? '', { types: ['ping.*'] }), 'events', '0', 'data', 'word');
    await eventually(async () => (await lastWord()) === 'milk', 'the event of the last word');
    const activities = await call('/account/activity/list', state.key ?? '', { operation: 'ping.word.add' });
    expect(at(activities, 'activities', '0', 'summary')).to.equal('Added the word “tea”.');
  });

  it('has a page whose form calls an operation without a key', async () => {
    const page = `${address()}/ping/${environmentId()}/suggest`;
    expect(await (await fetch(page)).text()).to.contain('<h1>Suggest a word</h1>');
    const send = (): Promise<Response> => fetch(page, { method: 'POST', body: new URLSearchParams({ word: 'salt' }) });
    expect(await (await send()).text()).to.contain('Thank you for “salt”');
    const again = await send();
    expect([again.status, await again.text()]).to.satisfy(
      ([status, text]: [number, string]) => status === 409 && text.includes('“salt” already exists'),
    );
  });

  it('receives callbacks, and serves a document to browsers of any origin', async () => {
    const callback = (given: string): Promise<Response> =>
      fetch(`${address()}/v1/ping/word?environment=${environmentId()}`, {
        method: 'POST',
        headers: { 'X-Ping-Secret': given },
        body: 'pepper',
      });
    expect([(await callback('wrong')).status, (await callback(secret)).status]).to.deep.equal([403, 204]);
    expect(await listed()).to.include('pepper');
    const document = await fetch(`${address()}/v1/ping/${environmentId()}/words.json`);
    expect(document.headers.get('access-control-allow-origin')).to.equal('*');
  });

  it('acts as a signed-in user', async () => {
    const input = { accessToken: 'ada-token', word: 'hello' };
    const path = '/ping/word/sign';
    expect(await call(path, state.publishableKey ?? '', input)).to.deep.equal({
      word: 'hello',
      signedBy: 'ada@example.com',
    });
    expect(await call(path, state.publishableKey ?? '', { ...input, accessToken: 'x' })).to.equal('token_invalid');
  });

  it('consumes its events in the background, each once', async () => {
    const document = `${address()}/ping/${environmentId()}/words.json`;
    const counted = async (): Promise<boolean> => {
      const body: unknown = await (await fetch(document)).json();
      const words = at(body, 'words');
      return Array.isArray(words) && words.length > 0 && at(body, 'added') === words.length;
    };
    await eventually(counted, 'every added word is counted');
  });

  it('forwards its words through a work queue', async () => {
    await eventually(() => forwarded.includes('{"word":"tea"}'), 'the word at SVC_PING_FORWARD_URL');
    const types = async (): Promise<string> =>
      JSON.stringify(await call('/developers/event/list', state.key ?? '', { types: ['ping.word.forwarded'] }));
    await eventually(async () => (await types()).includes('"tea"'), 'the event of the forwarded word');
  });

  it('listens on a port of its own', async () => {
    const socket = connect(state.port ?? 0, '127.0.0.1');
    socket.end('hello');
    expect(await text(socket)).to.equal('hello');
  });

  it('is described in /openapi.json and in the generated file', async () => {
    const served: unknown = await (await fetch(`${address()}/openapi.json`)).json();
    const written: unknown = JSON.parse(await readFile(join(folder(), 'openapi.json'), 'utf8'));
    for (const document of [served, written]) {
      const described = at(document, 'paths', '/ping/echo', 'post');
      expect([at(described, 'operationId'), at(described, 'x-svc-permission')]).to.deep.equal([
        'ping.echo',
        'ping:read',
      ]);
      const paths = Object.keys(recordAt(document, 'paths')).filter((path) => path.includes('ping'));
      expect(paths.sort()).to.deep.equal([
        '/ping/echo',
        '/ping/word/add',
        '/ping/word/correct',
        '/ping/word/list',
        '/ping/word/sign',
        '/ping/word/suggest',
      ]);
    }
  });

  it('is a typed method of the SDK', async () => {
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

  it('is a command that sends the kind of key that the operation needs', async () => {
    const words = ['ping', 'word', 'suggest', '--word', 'by command', '--json', '--base-url', address()];
    expect(at(JSON.parse(await node('scripts/svc.ts', ...words)), 'result', 'word')).to.equal('by command');
    const sign = ['ping', 'word', 'sign', '--word', 'hello', '--json', '--base-url', address()];
    const signed = await node('scripts/svc.ts', ...sign, '--access-token', 'ada-token');
    expect(at(JSON.parse(signed), 'result', 'signedBy')).to.equal('ada@example.com');
  });

  it('is a command with flags, help and completion', async () => {
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

  it('answers the commands of the guide', async () => {
    expect(await follow('The complete example', 1)).to.contain('hello');
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
    expect(tools.map(({ name }) => name)).to.deep.equal([
      'ping_word_add',
      'ping_word_correct',
      'ping_echo',
      'ping_word_list',
    ]);
    const { structuredContent } = await client.callTool({ name: 'ping_echo', arguments: { word: 'by a tool' } });
    await client.close();
    expect(at(structuredContent, 'result')).to.deep.equal({ word: 'by a tool' });
  });

  it('type-checks with its tests', async () => {
    await addTests();
    await writeFile(
      join(folder(), 'tsconfig.ping.json'),
      JSON.stringify({
        extends: './tsconfig.json',
        include: ['plugins/ping', 'migrations/ping', 'test/ping', '**/*.d.ts'],
        exclude: ['node_modules', 'core/surfaces/console'],
      }),
    );
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '--noEmit', '-p', 'tsconfig.ping.json'], {
      cwd: folder(),
    }).catch((error: unknown) => ({ stdout: String(at(error, 'stdout')) }));
    expect(stdout).to.equal('');
  });

  it('passes its own tests and the contract tests of its operations and events', async () => {
    await addTests();
    expect(await follow('Tests', 0)).to.match(/\b[1-9]\d* passed, 0 failed, 0 skipped/);
  });

  it('is documented on the reference page with examples for every surface', async () => {
    // Without the colours of code.
    const page = (await (await fetch(`${address()}/docs/reference/ping`)).text()).replaceAll(/<\/?span[^>]*>/g, '');
    expect(page).to.contain('id="ping.echo"').and.contain('await svc.ping.echo(').and.contain('svc ping echo');
  });
});
