import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import ts from 'typescript';
import { writeSdkPackage } from '#scripts/sdk-package.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tool = (path: string): string => join(root, 'node_modules', path);
const run = promisify(execFile);

/** A program that uses the package, for Node and bundlers. */
const program = `
import { isSvcError, Svc } from 'svc-sdk';
const [baseUrl, apiKey] = (globalThis.process ?? { argv: [] }).argv.slice(2);
const svc = new Svc({ baseUrl, apiKey });
const { account } = await svc.account.get();
const refused = await svc.email.message.get({ messageId: 'x' }).catch((error) => isSvcError(error) && error.code);
console.log(JSON.stringify({ id: account.id, refused }));
`;

const receiver = `
import { createHmac } from 'node:crypto';
import { constructEvent, WebhookRejected } from 'svc-sdk/webhooks';
const body = JSON.stringify({ id: '1', type: 'account.updated', data: { account: { name: 'Zoë' } } });
const t = Math.floor(Date.now() / 1000);
const header = 't=' + t + ',v1=' + createHmac('sha256', 'secret').update(t + '.' + body).digest('hex');
const event = constructEvent(new TextEncoder().encode(body), header, 'secret');
let reason = '';
try {
  constructEvent(body, header, 'another');
} catch (error) {
  reason = error instanceof WebhookRejected ? error.reason : 'another error';
}
console.log(JSON.stringify({ name: event.data.account.name, reason }));
`;

/** Compiles only if the package's types say what they should. */
const consumer = `
import { Svc, isSvcError, type Event, type InputOf, type Member } from 'svc-sdk';
import { constructEvent } from 'svc-sdk/webhooks';
const svc = new Svc({ baseUrl: 'http://127.0.0.1:9' });
const input: InputOf<'email.send'> = { to: 'ada@example.com', subject: 'x', text: 'x' };
export async function use(): Promise<string> {
  const { messageId } = await svc.email.send(input);
  // @ts-expect-error -- a typo in a reply's field
  await svc.email.send(input).then(({ mesageId }) => mesageId);
  // @ts-expect-error -- a typo in an input's field
  await svc.email.send({ ...input, subjekt: 'x' }, {}).then(() => svc.email.send({ to: 'a', subjekt: 'x' }));
  const members: Member[] = [];
  for await (const member of svc.account.member.list.all()) members.push(member);
  return messageId;
}
/** As node:http and process.env have them. */
interface Received { readonly headers: Record<string, string | string[] | undefined>; readonly env: { WEBHOOK_SECRET?: string | undefined } }
export function receive(body: Uint8Array, { headers, env }: Received): string {
  const event: Event = constructEvent(body, headers['svc-signature'], env.WEBHOOK_SECRET);
  if (event.type === 'email.failed') return event.data.message.messageId;
  // @ts-expect-error -- data is narrowed only by the type
  return event.data.message.messageId;
}
export const code = (error: unknown): boolean => isSvcError(error, 'email.send') && error.code === 'sender_not_verified';
`;

/** As `consumer`, for the entries of React and of the frameworks. */
const frameworksConsumer = `
import { Svc } from 'svc-sdk';
import { svcAuth as express } from 'svc-sdk/express';
import { svcAuth as fastify } from 'svc-sdk/fastify';
import { svcAuth as hono, type SvcVariables } from 'svc-sdk/hono';
import { svcAuth as koa } from 'svc-sdk/koa';
import { serverAuth, svcAuth as next } from 'svc-sdk/next';
import { Protect, useSession, useUser } from 'svc-sdk/react';
import { createSession } from 'svc-sdk/session';
const options = { environmentId: 'e1' };
export const hooks = [
  express(options).requireUser({ roles: ['admin'] }),
  fastify(options).requireUser(),
  hono(options).requireUser(),
  koa(options).requireUser(),
];
export const GET = next(options).requireUser((_request: Request, { sub }) => Response.json({ id: sub satisfies string }));
export const idOf = ({ user }: SvcVariables): string => user.sub;
// @ts-expect-error -- a typo in a requirement
express(options).requireUser({ rolls: ['admin'] });
export const auth = serverAuth({ ...options, publishableKey: 'svc_live_pk', appUrl: 'https://app.example.com' });
// @ts-expect-error -- an option is missing
serverAuth({ environmentId: 'e1' });
const svc = new Svc({ baseUrl: 'http://127.0.0.1:9' });
export const session = createSession({
  refresh: (refreshToken, call) => svc.auth.session.refresh({ refreshToken }, call),
});
export function nameOf(): string | null {
  const { status, user } = useUser();
  // @ts-expect-error -- nobody may be signed in
  const { email } = user;
  return status === 'signed-in' ? user.name : email;
}
export const token = (): Promise<string | null> => useSession().getToken({ fresh: true });
export const part = Protect({ role: 'admin', children: 'For admins' });
// @ts-expect-error -- a typo in a property
Protect({ roll: 'admin' });
`;

const reactProgram = `
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { SignInButton, SvcProvider } from 'svc-sdk/react';
const options = { baseUrl: 'http://127.0.0.1:9', environmentId: 'e1', publishableKey: 'svc_live_pk_x' };
console.log(renderToString(createElement(SvcProvider, options, createElement(SignInButton))));
for (const name of ['express', 'fastify', 'hono', 'koa', 'next'])
  console.log(typeof (await import('svc-sdk/' + name)).svcAuth);
`;

describe('The package svc-sdk, installed from its tarball', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const state = { folder: '', app: '' };
  const installed = (...path: string[]): string => join(state.app, 'node_modules/svc-sdk', ...path);
  /** An app that also has React, and its types. */
  const reactApp = async (): Promise<string> => {
    const app = join(state.folder, 'react-app');
    const modules = join(app, 'node_modules');
    if ((await readdir(state.folder)).includes('react-app')) return app;
    await mkdir(join(modules, '@types'), { recursive: true });
    await cp(join(state.app, 'package.json'), join(app, 'package.json'));
    await cp(installed(), join(modules, 'svc-sdk'), { recursive: true });
    for (const name of ['react', 'react-dom', '@types/react']) await symlink(tool(name), join(modules, name));
    return app;
  };
  const inApp = async (file: string, text: string): Promise<string> => {
    await writeFile(join(state.app, file), text);
    return join(state.app, file);
  };

  before(async () => {
    state.folder = await mkdtemp(join(tmpdir(), 'svc-sdk-'));
    state.app = join(state.folder, 'app');
    const built = join(state.folder, 'built');
    await mkdir(state.app);
    await run(process.execPath, [tool('typescript/bin/tsc'), '-p', join(root, 'tsconfig.sdk.json'), '--outDir', built]);
    await writeSdkPackage(built);
    const { stdout } = await run('npm', ['pack', built, '--pack-destination', state.folder, '--silent']);
    await inApp('package.json', '{"name": "app", "type": "module", "private": true}');
    const tarball = join(state.folder, stdout.trim());
    const quietly = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    await run('npm', ['install', tarball, ...quietly], { cwd: state.app });
  });
  after(() => rm(state.folder, { recursive: true, force: true }));

  /** The package's files, by their path in it. */
  const filesInstalled = async (): Promise<string[]> =>
    (await readdir(installed(), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(installed(), join(parentPath, name)));

  it('has the client, its types, a README and the license, and depends on nothing', async () => {
    const files = await filesInstalled();
    expect(files).to.include.members([
      'index.js',
      'index.d.ts',
      'webhooks.js',
      'webhooks.d.ts',
      'README.md',
      'LICENSE',
    ]);
    // A boundary of client code for frameworks that render on servers.
    expect(await readFile(installed('react/index.js'), 'utf8')).to.match(/^'use client';/);
    expect(files.filter((name) => !/\.(js|d\.ts)$/.test(name))).to.have.members([
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    const manifest: unknown = JSON.parse(await readFile(installed('package.json'), 'utf8'));
    const own: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(manifest).to.include({ name: 'svc-sdk', type: 'module', version: at(own, 'version') });
    expect(manifest).to.not.have.any.keys('dependencies', 'scripts', 'private');
    // svc-sdk/react uses the React of the app, and other apps install none.
    expect(at(manifest, 'peerDependencies')).to.deep.equal({ react: '>=18' });
    expect(at(manifest, 'peerDependenciesMeta')).to.deep.equal({ react: { optional: true } });
    expect(await readdir(join(state.app, 'node_modules')))
      .to.include('svc-sdk')
      .and.not.include('koa')
      .and.not.include('react');
    const exported = JSON.stringify(at(manifest, 'exports'));
    for (const [, path = ''] of exported.matchAll(/"\.\/([^"]+\.(?:js|d\.ts))"/g)) expect(files).to.include(path);
  });

  it('imports by complete file names only, as Deno and browsers need', async () => {
    const files = (await filesInstalled()).filter((name) => /\.(js|d\.ts)$/.test(name));
    for (const file of files)
      for (const [, from = ''] of (await readFile(installed(file), 'utf8')).matchAll(
        /(?:\bfrom |^import )'([^'\n]+)'/gm,
      )) {
        if (from === 'node:crypto' || (from === 'react' && file.startsWith('react/'))) continue;
        expect(files, `${file} imports ${from}`).to.include(join(dirname(file), from));
      }
  });

  itNeeding('email')('works in Node', async () => {
    const { accountId, keys } = await platform.account();
    const client = await inApp('client.mjs', program);
    const { stdout } = await run(process.execPath, [client, platform.running.address, keys.live.secret]);
    expect(JSON.parse(stdout)).to.deep.equal({ id: accountId, refused: 'invalid_input' });
    const webhooks = await run(process.execPath, [await inApp('receiver.mjs', receiver)]);
    expect(JSON.parse(webhooks.stdout)).to.deep.equal({ name: 'Zoë', reason: 'signature_mismatch' });
  });

  it('can be required by CommonJS', async () => {
    const source = `const { Svc } = require('svc-sdk');
const { createSession } = require('svc-sdk/session');
const { constructEvent } = require('svc-sdk/webhooks');
const servers = ['express', 'fastify', 'hono', 'koa', 'next'].map((name) => require('svc-sdk/' + name).svcAuth);
console.log([Svc, createSession, constructEvent, ...servers].filter((each) => typeof each === 'function').length);`;
    const { stdout } = await run(process.execPath, [await inApp('client.cjs', source)]);
    expect(stdout.trim()).to.equal('8');
  });

  itNeeding('email')('can be bundled for browsers, and the bundle works without node_modules', async () => {
    const { accountId, keys } = await platform.account();
    const source = await inApp('browser.mjs', program);
    const bundle = join(state.folder, 'bundle.mjs');
    const flags = ['--bundle', '--platform=browser', '--format=esm', `--outfile=${bundle}`, '--log-level=warning'];
    const { stderr } = await run(tool('.bin/esbuild'), [source, ...flags]);
    expect(stderr).to.equal('');
    expect(await readFile(bundle, 'utf8')).to.not.match(/from ?["']|require\(/);
    const { stdout } = await run(process.execPath, [bundle, platform.running.address, keys.live.secret]);
    expect(JSON.parse(stdout)).to.include({ id: accountId });
  });

  it('works with the React of the app, and with every framework', async () => {
    const file = join(await reactApp(), 'render.mjs');
    await writeFile(file, reactProgram);
    const { stdout } = await run(process.execPath, [file]);
    const [html, ...kinds] = stdout.trim().split('\n');
    expect(html).to.equal('<button type="button">Sign in</button>');
    expect(kinds).to.deep.equal(['function', 'function', 'function', 'function', 'function']);
  });

  for (const [resolution, module] of [
    [ts.ModuleResolutionKind.NodeNext, ts.ModuleKind.NodeNext],
    [ts.ModuleResolutionKind.Bundler, ts.ModuleKind.ESNext],
  ] as const)
    it(`has types for the module resolution ${ts.ModuleResolutionKind[resolution]}: a misspelt field is an error`, async () => {
      const file = await inApp('consumer.ts', consumer);
      const options = {
        target: ts.ScriptTarget.ES2023,
        module,
        moduleResolution: resolution,
        lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
        types: [],
        strict: true,
        noEmit: true,
      };
      const frameworks = join(await reactApp(), 'frameworks.ts');
      await writeFile(frameworks, frameworksConsumer);
      for (const each of [file, frameworks]) {
        const problems = ts.getPreEmitDiagnostics(ts.createProgram([each], options));
        expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).to.deep.equal([]);
      }
      const typo = await inApp(
        'typo.ts',
        "import type { Member } from 'svc-sdk';\nexport const f = (m: Member) => m.emial;\n",
      );
      const found = ts.getPreEmitDiagnostics(ts.createProgram([typo], options));
      expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).to.deep.equal([
        "Property 'emial' does not exist on type 'Member'. Did you mean 'email'?",
      ]);
    });
});

describe('The server’s package', () => {
  it('holds the clients that it offers, and no tests, examples or benches, whatever the folder holds', async function () {
    this.timeout(60_000);
    const folder = await mkdtemp(join(tmpdir(), 'svc-pack-'));
    try {
      await cp(join(root, 'package.json'), join(folder, 'package.json'));
      const files = [
        'dist/core/a.js',
        'dist/scripts/svc.js',
        'dist/scripts/bench/index.js',
        'dist/test/a.test.js',
        'dist/examples/a.js',
        'dist/sdk/index.js',
        'dist/sdk-python/svc_sdk/__init__.py',
        'dist/cli/svc.js',
        'test/a.test.ts',
        'core/a.ts',
        'CHANGELOG.md',
      ];
      for (const file of files) {
        await mkdir(join(folder, file, '..'), { recursive: true });
        await writeFile(join(folder, file), '');
      }
      const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: folder });
      const packed: unknown = at(JSON.parse(stdout), '0', 'files');
      const paths = Array.isArray(packed) ? packed.map((each: unknown) => at(each, 'path')) : [];
      expect(paths).to.have.members([
        'package.json',
        'CHANGELOG.md',
        'dist/core/a.js',
        'dist/scripts/svc.js',
        'dist/sdk/index.js',
        'dist/sdk-python/svc_sdk/__init__.py',
        'dist/cli/svc.js',
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
