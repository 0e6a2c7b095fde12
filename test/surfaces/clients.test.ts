import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { writeSdkPackage } from '#scripts/sdk-package.js';
import { freePort } from '#test/support/free-port.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** The clients that the server lists, by name. */
async function listed(address: string): Promise<Map<string, unknown>> {
  const found: unknown = await (await fetch(`${address}/clients`, { headers: { Accept: 'application/json' } })).json();
  const clients = at(found, 'clients');
  if (!Array.isArray(clients)) throw new Error('/clients lists none.');
  return new Map(clients.map((each: unknown) => [String(at(each, 'name')), each]));
}

describe('The clients that a server offers', function () {
  this.timeout(120_000);
  // Its own address is part of the packages, so it is known before the start.
  const platform = usePlatform({
    settings: async () => {
      const port = await freePort();
      return { SVC_PORT: String(port), SVC_BASE_URL: `http://127.0.0.1:${port}` };
    },
  });
  const state = { folder: '', app: '' };
  const inApp = (command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run(command, [...args], {
      cwd: state.app,
      env: { PATH: process.env['PATH'] ?? '', HOME: state.folder, XDG_CONFIG_HOME: state.folder, ...env },
    });

  before(async () => {
    const sdk = join(root, 'dist/sdk');
    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.sdk.json')]);
    await writeSdkPackage(sdk);
    state.folder = await mkdtemp(join(tmpdir(), 'svc-clients-'));
    state.app = join(state.folder, 'app');
    await mkdir(state.app);
    await writeFile(join(state.app, 'package.json'), '{"name": "app", "type": "module", "private": true}');
    const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    const { address } = platform.running;
    for (const name of ['svc-sdk', 'svc-cli'])
      await inApp('npm', ['install', `${address}/clients/${name}.tgz`, ...quietly]);
  });
  after(() => rm(state.folder, { recursive: true, force: true }));

  it('are listed with version, size and checksums, for people and programs', async () => {
    const { address } = platform.running;
    const clients = await listed(address);
    expect([...clients.keys()]).to.deep.equal(['svc-sdk', 'svc_sdk', 'svc-go', 'svc-cli']);
    const page = await (await fetch(`${address}/clients`, { headers: { Accept: 'text/html' } })).text();
    const lock: unknown = JSON.parse(await readFile(join(state.app, 'package-lock.json'), 'utf8'));
    for (const [name, facts] of clients) {
      const answer = await fetch(String(at(facts, 'url')));
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(at(facts, 'version')).to.match(/^v?\d+\.\d+\.\d+/);
      expect(at(facts, 'bytes')).to.equal(bytes.length);
      expect(at(facts, 'sha256')).to.equal(createHash('sha256').update(bytes).digest('hex'));
      expect(at(facts, 'integrity')).to.equal(`sha512-${createHash('sha512').update(bytes).digest('base64')}`);
      if (name === 'svc-go') {
        // test/sdk/go.test.ts installs it.
        expect(answer.headers.get('content-type')).to.equal('application/zip');
      } else if (name.startsWith('svc-')) {
        expect(answer.headers.get('content-type')).to.equal('application/gzip');
        expect(at(lock, 'packages', `node_modules/${name}`, 'integrity')).to.equal(at(facts, 'integrity'));
        const unversioned = await fetch(`${address}/clients/${name}.tgz`);
        expect(unversioned.headers.get('etag')).to.equal(answer.headers.get('etag'));
      } else {
        expect(answer.headers.get('content-type')).to.equal('application/zip');
        expect(at(facts, 'install')).to.equal(`pip install ${String(at(facts, 'url'))}`);
      }
      expect(page)
        .to.contain(String(at(facts, 'install')))
        .and.contain(String(at(facts, 'sha256')));
      const again = await fetch(String(at(facts, 'url')), {
        headers: { 'If-None-Match': answer.headers.get('etag') ?? '' },
      });
      expect(again.status, 'an unchanged package is not sent again').to.equal(304);
    }
  });

  it('refuse other methods and names', async () => {
    const { address } = platform.running;
    expect((await fetch(`${address}/clients`, { method: 'POST' })).status).to.equal(405);
    expect((await fetch(`${address}/clients/svc-sdk.tgz`, { method: 'POST' })).status).to.equal(405);
    expect((await fetch(`${address}/clients/other.tgz`)).status).to.equal(404);
  });

  it('call the server that they came from', async () => {
    const { accountId, keys } = await platform.account();
    await writeFile(
      join(state.app, 'client.mjs'),
      `import { Svc } from 'svc-sdk';
       import { signInUrl } from 'svc-sdk/session';
       const { account } = await new Svc({ apiKey: process.env.SVC_API_KEY }).account.get();
       const binding = { state: 's', codeChallenge: 'c' };
       console.log(account.id, signInUrl({ environmentId: 'e', redirectTo: 'https://app.example', binding }));`,
    );
    const key = { SVC_API_KEY: keys.live.secret };
    const { stdout } = await inApp(process.execPath, ['client.mjs'], key);
    expect(stdout).to.contain(`${accountId} ${platform.running.services.deployment.baseUrl}/auth/e/signin`);
    const called = await inApp(join(state.app, 'node_modules/.bin/svc'), ['account', 'get', '--json'], key);
    expect(at(JSON.parse(called.stdout), 'result', 'account', 'id')).to.equal(accountId);
  });

  itNeeding('email')(
    'as command line: sends, checks the server and completes words, with no package beside it',
    async () => {
      const { keys } = await platform.account();
      const svc = (...args: string[]) =>
        inApp(join(state.app, 'node_modules/.bin/svc'), args, { SVC_API_KEY: keys.live.secret });
      const sent = await svc(
        'email',
        'send',
        '--to',
        'ada@example.com',
        '--subject',
        'Hello',
        '--text',
        'Hi',
        '--json',
      );
      expect(at(JSON.parse(sent.stdout), 'result', 'status')).to.equal('queued');
      const findings: unknown = JSON.parse(
        (await svc('doctor', '--json').catch((error: unknown) => ({ stdout: String(at(error, 'stdout')) }))).stdout,
      );
      expect(findings).to.be.an('array').that.is.not.empty;
      expect(JSON.stringify(findings)).to.contain('"server"').and.not.contain('"database"');
      expect((await svc('--version')).stdout).to.match(/^\d+\.\d+\.\d+/);
      expect((await svc('completion', 'bash')).stdout).to.contain('email');
      const packages = (await readdir(join(state.app, 'node_modules'))).filter((name) => !name.startsWith('.'));
      expect(packages).to.have.members(['svc-cli', 'svc-sdk']);
    },
  );

  it('contain no code of the server', async () => {
    const folder = join(state.app, 'node_modules/svc-cli');
    for (const file of await readdir(folder)) {
      const text = await readFile(join(folder, file), 'utf8');
      for (const word of ['typeorm', 'mysql2', 'INSERT INTO'])
        expect(text, `${file} contains ${word}`).to.not.contain(word);
    }
  });
});
