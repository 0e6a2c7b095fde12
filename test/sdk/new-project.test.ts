import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { writeSdkPackage } from '#scripts/sdk-package.js';
import { at } from '#test/support/json.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

/** The options of `tsc --init` (TypeScript 5.9 and later). */
const compilerOptions = {
  module: 'nodenext',
  target: 'esnext',
  types: ['node'],
  sourceMap: true,
  declaration: true,
  declarationMap: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  strict: true,
  jsx: 'react-jsx',
  verbatimModuleSyntax: true,
  isolatedModules: true,
  noUncheckedSideEffectImports: true,
  moduleDetection: 'force',
  skipLibCheck: true,
  outDir: 'out',
};

/** Exports what each entry returns, with options from the environment, as apps do. */
const everything = `
import { Svc } from 'svc-sdk';
import { receiveEvents as express, svcAuth as expressAuth } from 'svc-sdk/express';
import { receiveEvents as fastify, svcAuth as fastifyAuth } from 'svc-sdk/fastify';
import { receiveEvents as hono, svcAuth as honoAuth } from 'svc-sdk/hono';
import { receiveEvents as koa, svcAuth as koaAuth } from 'svc-sdk/koa';
import { receiveEvents as next, serverAuth, svcAuth as nextAuth } from 'svc-sdk/next';
import { createSession, createTokenVerifier } from 'svc-sdk/session';
import { verifyWebhook } from 'svc-sdk/webhooks';
const env: Record<string, string | undefined> = process.env;
const options = { baseUrl: env['SVC_API_URL'], environmentId: 'e1', cacheMs: undefined, toleranceMs: undefined };
const secret = env['SECRET'];
export const receivers = { express: express({ secret }, () => undefined), koa: koa({ secret }, () => undefined) };
export const receiver = hono({ secret }, () => undefined);
export const POST = next({ secret }, () => undefined);
export const plugin = fastify;
export const forExpress = expressAuth(options).requireUser({ roles: ['admin'] });
export const forFastify = fastifyAuth(options).requireUser();
export const forHono = honoAuth(options).requireUser();
export const forKoa = koaAuth(options).requireUser();
export const GET = nextAuth(options).requireUser((_request: Request, { sub }) => Response.json({ id: sub }));
export const { signIn, callback, signOut, userOf } = serverAuth({ ...options, publishableKey: env['P'], appUrl: env['A'] });
export const verify = createTokenVerifier(options);
export const verifyDelivery = verifyWebhook;
export const svc = new Svc({ baseUrl: env['SVC_API_URL'], apiKey: env['KEY'], maxRetries: undefined });
export const { email, auth } = svc;
export const session = createSession({ refresh: (refreshToken, call) => auth.session.refresh({ refreshToken }, call) });
export const send = () => email.send({ to: 'ada@example.com', subject: env['S'], text: 'x', replyTo: env['R'] });
export const contact = (id: string) => svc.audience.contact.get({ contactId: id, email: undefined });
// @ts-expect-error -- one of the identifiers is required
export const none = () => svc.audience.contact.get({});
// @ts-expect-error -- and it must have a value
export const empty = () => svc.audience.contact.get({ contactId: env['ID'] });
`;

describe('svc-sdk in a new project of tsc --init', function () {
  this.timeout(180_000);
  let app: string;
  const add = async (path: string, source: string): Promise<void> => {
    await mkdir(dirname(join(app, path)), { recursive: true });
    await writeFile(join(app, path), source);
  };

  before(async () => {
    app = await mkdtemp(join(tmpdir(), 'svc-new-project-'));
    const sdk = join(app, 'node_modules/svc-sdk');
    await run(process.execPath, [compiler, '-p', join(root, 'tsconfig.sdk.json'), '--outDir', sdk]);
    await writeSdkPackage(sdk);
    await cp(join(root, 'node_modules/@types/node'), join(app, 'node_modules/@types/node'), { recursive: true });
    await symlink(join(root, 'node_modules/undici-types'), join(app, 'node_modules/undici-types'));
    await add('package.json', JSON.stringify({ name: 'app', type: 'module' }));
    await add('tsconfig.json', JSON.stringify({ compilerOptions }));
  });
  after(() => rm(app, { recursive: true, force: true }));

  it('compiles the first lines of the README, the files of docs/nextjs.md, and what each entry returns', async () => {
    const guide = await readFile(join(root, 'docs/nextjs.md'), 'utf8');
    const files = [...guide.matchAll(/```ts\n\/\/ (\S+)\n([^]*?)```/g)];
    expect(files).to.have.length.above(6);
    // Next.js resolves imports without an ending; Node does not.
    for (const [, path = '', source = ''] of files)
      await add(path, source.replaceAll(/from '(\.[^']*)'/g, "from '$1.js'"));
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const [, first = ''] = /```ts\n(import \{ Svc \} from 'svc-sdk'[^]*?)```/.exec(readme) ?? [];
    expect(first).to.contain('svc.email.send');
    await add('first.mts', first);
    await add('everything.mts', everything);
    const printed = await run(process.execPath, [compiler, '-p', app], { cwd: app }).then(
      ({ stdout }) => stdout,
      (error: unknown) => String(at(error, 'stdout')),
    );
    expect(printed).to.equal('');
  });
});
