import { execFile } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { signedIn } from '#test/auth/support.js';
import { apiAt } from '#test/support/api.js';
import { eventually } from '#test/support/eventually.js';
import { freePort } from '#test/support/free-port.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { frameworkModules, usePython, wheelAddress } from '#test/support/python.js';
import {
  djangoAsgi,
  runserver,
  startPythonServer,
  uvicorn,
  type PythonServer,
  type RunningServer,
} from '#test/support/python-server.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const secret = 'svc_wh_secret';

/** A program of docs/python-frameworks.md by its name, which its first line states. */
async function program(name: string): Promise<string> {
  const text = await readFile(join(root, 'docs/python-frameworks.md'), 'utf8');
  const found = [...text.matchAll(/^```python\n([^]*?)^```$/gm)].find(([, code]) => code?.startsWith(`# ${name}\n`));
  if (!found?.[1]) throw new Error(`docs/python-frameworks.md has no program ${name}.`);
  return found[1];
}

/** What every project of Django has in its settings. */
const otherSettings = `
SECRET_KEY = "test"
ROOT_URLCONF = "urls"
ALLOWED_HOSTS = ["127.0.0.1"]
DEBUG = True
MIDDLEWARE = ["django.middleware.csrf.CsrfViewMiddleware"]
`;

const fastapi: PythonServer = { folder: 'fastapi', start: uvicorn('app:app') };
/** The programs of docs/python-frameworks.md. */
const servers: Readonly<Record<string, PythonServer>> = {
  FastAPI: fastapi,
  'Django with WSGI': { folder: 'django', settings: 'settings', start: runserver },
  'Django with ASGI': { folder: 'django', settings: 'settings', start: djangoAsgi },
};

const otherFastapi: PythonServer = { folder: 'tests', start: uvicorn('fastapi_app:app') };
/** What the document says beside its programs. */
const others: Readonly<Record<string, PythonServer>> = {
  FastAPI: otherFastapi,
  'Django with WSGI': { folder: 'tests', settings: 'django_app', start: runserver },
  'Django with ASGI': { folder: 'tests', settings: 'django_app', start: djangoAsgi },
};

interface Answer {
  readonly status: number;
  readonly challenge: string | null;
  readonly body: unknown;
}

describe('svc_sdk.fastapi and svc_sdk.django, installed from a running server', function () {
  this.timeout(240_000);
  needProducts('auth');
  // Tokens name the address of their issuer, which the servers compare with SVC_API_URL.
  const platform = usePlatform({
    settings: async () => {
      const port = await freePort();
      return { SVC_PORT: String(port), SVC_BASE_URL: `http://127.0.0.1:${port}` };
    },
  });
  const python = usePython(frameworkModules);
  const state = { environmentId: '', member: '', owner: '', secured: '', userId: '', foreign: '' };
  const stops: (() => Promise<void>)[] = [];

  before(async () => {
    await python.install(await wheelAddress(platform.running.address));
    const folders: Readonly<Record<string, readonly string[]>> = {
      fastapi: ['app.py'],
      django: ['settings.py', 'views.py', 'urls.py'],
    };
    for (const [folder, names] of Object.entries(folders)) {
      await mkdir(join(python.folder, folder));
      for (const name of names)
        await writeFile(
          join(python.folder, folder, name),
          `${await program(name)}${name === 'settings.py' ? otherSettings : ''}`,
        );
    }
    await mkdir(join(python.folder, 'tests'));
    for (const name of ['fastapi_app.py', 'django_app.py'])
      await copyFile(join(root, 'test/sdk/python', name), join(python.folder, 'tests', name));
    const account = await platform.account();
    const { accessToken, userId } = await signedIn(platform, account.live);
    const app = apiAt(
      () => platform.running.address,
      () => account.keys.live.publishable,
    );
    const { organization } = await app.call('auth.org.create', { accessToken, name: 'Looms' });
    const switched = await app.call('auth.org.switch', { accessToken, organizationId: organization.id });
    const secured = await signedIn(platform, account.live, { mfa: true });
    const foreign = await signedIn(platform, (await platform.account()).live);
    Object.assign(state, {
      environmentId: account.live.id,
      member: accessToken,
      owner: switched.accessToken,
      secured: secured.accessToken,
      userId,
      foreign: foreign.accessToken,
    });
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  /** Starts a server that the end of the test stops. */
  async function serve(server: PythonServer, env: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
    const running = await startPythonServer(python, server, {
      SVC_API_URL: platform.running.address,
      SVC_ENVIRONMENT_ID: state.environmentId,
      SVC_WEBHOOK_SECRET: secret,
      ...env,
    });
    stops.push(running.stop);
    return running;
  }

  async function ask(address: string, token?: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    const answer = await fetch(address, { ...init, headers });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    return { status: answer.status, challenge: answer.headers.get('www-authenticate'), body };
  }
  const codeOf = async (address: string, token?: string, init?: RequestInit): Promise<unknown> => {
    const { status, body } = await ask(address, token, init);
    return status === 200 ? 200 : `${status} ${String(at(at(body, 'error'), 'code'))}`;
  };

  const event = JSON.stringify({ id: '1', type: 'auth.user.created', data: { user: { id: '2', email: 'zoë@x.com' } } });
  const signatureOf = (body: string, key = secret): string => {
    const time = Math.floor(Date.now() / 1000);
    return `t=${time},v1=${createHmac('sha256', key).update(`${time}.${body}`).digest('hex')}`;
  };
  const deliver = (url: string, body: string, signature: string) =>
    ask(url, undefined, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', 'Svc-Signature': signature },
    });

  /** Sends a body of 2 MiB in parts without its length. @returns the status of the answer */
  async function chunked(url: string): Promise<number | undefined> {
    const sent = request(url, { method: 'POST', headers: { 'Content-Type': 'application/json' } });
    sent.on('error', () => undefined);
    const answered = new Promise<number | undefined>((resolve) =>
      sent.once('response', ({ statusCode }) => resolve(statusCode)),
    );
    const part = Buffer.alloc(64 * 1024, ' ');
    for (let size = 0; size < 2 * 1_048_576; size += part.length) sent.write(part);
    sent.end();
    const status = await answered;
    sent.destroy();
    return status;
  }

  for (const [name, server] of Object.entries(servers)) {
    it(`${name}: knows the user of a request, and answers others as RFC 6750 says`, async () => {
      const { url } = await serve(server);
      expect(await ask(`${url}/api/me`, state.member)).to.deep.equal({
        status: 200,
        challenge: null,
        body: { id: state.userId },
      });
      expect(await ask(`${url}/api/me`)).to.deep.equal({
        status: 401,
        challenge: 'Bearer',
        body: {
          error: {
            code: 'unauthenticated',
            message: 'The request has no access token.',
            fix: 'Sign in, and send the header “Authorization: Bearer <access token>”.',
          },
        },
      });
      for (const token of [`${state.member.slice(0, -6)}AAAAAA`, `${state.member}!`, 'no-token', state.foreign]) {
        const { status, challenge, body } = await ask(`${url}/api/me`, token);
        expect([status, at(at(body, 'error'), 'code')]).to.deep.equal([401, 'token_invalid']);
        expect(challenge, token).to.match(
          /^Bearer error="invalid_token", error_description="The access token is not valid: [a-z_]+\."$/,
        );
      }
      expect(await ask(`${url}/api/team`, state.member)).to.deep.equal({
        status: 403,
        challenge: 'Bearer error="insufficient_scope", error_description="Switch to an organization first."',
        body: {
          error: {
            code: 'forbidden',
            message: 'This needs an active organization.',
            fix: 'Switch to it with auth.org.switch, and send the access token that this returns.',
          },
        },
      });
      expect((await ask(`${url}/api/team`, state.owner)).status).to.equal(200);
    });

    it(`${name}: receives webhooks with a valid signature, up to a size`, async () => {
      const { url, output } = await serve(server);
      const webhooks = `${url}/webhooks/svc`;
      expect((await deliver(webhooks, event, signatureOf(event))).status).to.equal(204);
      await eventually(() => output().includes('New user: zoë@x.com'), 'it prints the event');
      const refused = await deliver(webhooks, event, signatureOf(event, 'other'));
      expect([refused.status, at(at(refused.body, 'error'), 'code')]).to.deep.equal([400, 'webhook_rejected']);
      expect((await deliver(webhooks, event, '')).status).to.equal(400);
      expect((await ask(webhooks, undefined, { method: 'POST' })).status).to.equal(400);
      expect((await ask(webhooks)).status).to.equal(405);
      const large = JSON.stringify({ text: 'x'.repeat(1_048_576) });
      expect((await deliver(webhooks, large, signatureOf(large))).status).to.equal(413);
      // WSGI has no body without its length.
      if (server.start !== runserver) expect(await chunked(webhooks)).to.equal(413);
      expect((await deliver(webhooks, event, signatureOf(event))).status).to.equal(204);
    });
  }

  for (const [name, server] of Object.entries(others)) {
    it(`${name}: admits by organization, role and second factor, or everybody`, async () => {
      const { url } = await serve(server);
      const optional = (token?: string) => ask(`${url}/optional`, token);
      expect((await optional(state.member)).body).to.deep.equal({ id: state.userId });
      expect((await optional()).body).to.deep.equal({ id: null });
      expect((await optional(state.foreign)).body).to.deep.equal({ id: null });
      expect(await codeOf(`${url}/organization`, state.owner)).to.equal(200);
      expect(await codeOf(`${url}/organization`, state.member)).to.equal('403 forbidden');
      expect(await codeOf(`${url}/organization/other`, state.owner)).to.equal('403 forbidden');
      expect(await codeOf(`${url}/role`, state.owner)).to.equal('403 org_role_required');
      expect(await codeOf(`${url}/mfa`, state.secured)).to.equal(200);
      const unsecured = await ask(`${url}/mfa`, state.member);
      expect(at(at(unsecured.body, 'error'), 'code')).to.equal('mfa_required');
      expect(unsecured.challenge).to.equal(
        'Bearer error="insufficient_user_authentication", error_description="Sign in with a second factor first."',
      );
    });

    it(`${name}: reads a cookie if asked to, and refuses changes that another site sends with it`, async () => {
      const { url } = await serve(server);
      const headers = { Cookie: `theme=dark; access=${state.member}` };
      const asked = (method: string, more: Record<string, string>) =>
        codeOf(`${url}/required`, undefined, { method, headers: { ...headers, ...more } });
      expect(await asked('GET', { 'Sec-Fetch-Site': 'cross-site' })).to.equal(200);
      expect(await asked('POST', { 'Sec-Fetch-Site': 'same-origin' })).to.equal(200);
      expect(await asked('POST', { 'Sec-Fetch-Site': '', Origin: url })).to.equal(200);
      for (const site of ['cross-site', 'same-site'])
        expect(await asked('POST', { 'Sec-Fetch-Site': site })).to.equal('403 origin_not_allowed');
      expect(await asked('DELETE', { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' })).to.equal(
        '403 origin_not_allowed',
      );
      expect(await codeOf(`${url}/required`, state.member, { method: 'DELETE' })).to.equal(200);
    });

    it(`${name}: lets svc deliver an event again if handling it failed`, async () => {
      const { url, output } = await serve(server);
      const paths = server.settings !== undefined ? ['failing', 'failing/async'] : ['failing'];
      for (const path of paths) {
        expect((await deliver(`${url}/${path}`, event, signatureOf(event))).status).to.equal(500);
        await eventually(() => output().includes(`The database is away: ${path}.`), 'the handler has failed');
      }
    });

    it(`${name}: answers 503 without the signing keys, and names a wrong address or environment`, async () => {
      const away = await serve(server, { SVC_API_URL: `http://127.0.0.1:${await freePort()}` });
      expect(await codeOf(`${away.url}/required`, state.member)).to.equal('503 unavailable');
      expect(await codeOf(`${away.url}/optional`, state.member)).to.equal('503 unavailable');
      expect((await ask(`${away.url}/optional`)).body).to.deep.equal({ id: null });
      await eventually(
        () => away.output().includes('signing keys of access tokens cannot be fetched'),
        'the log says why',
      );
      const elsewhere = await serve(server, {
        SVC_API_URL: platform.running.address.replace('127.0.0.1', 'localhost'),
      });
      expect((await ask(`${elsewhere.url}/required`, state.member)).status).to.equal(500);
      await eventually(
        () => elsewhere.output().includes('base_url must be the server’s SVC_BASE_URL'),
        'the log says it',
      );
      const unknown = await serve(server, { SVC_ENVIRONMENT_ID: randomUUID() });
      expect((await ask(`${unknown.url}/required`, state.member)).status).to.equal(500);
      await eventually(
        () => unknown.output().includes('answered 404: set SVC_ENVIRONMENT_ID to the id of an environment'),
        'the log names the setting',
      );
    });
  }

  for (const name of ['Django with WSGI', 'Django with ASGI'])
    it(`${name}: finds the user for all views by its middleware, and says what is missing`, async () => {
      const server = others[name];
      if (!server) throw new Error(`There is no server ${name}.`);
      const without = await serve(server, { SVC_ENVIRONMENT_ID: '' });
      expect((await ask(`${without.url}/undecorated`, state.member)).body).to.deep.equal({ id: null });
      expect((await ask(`${without.url}/forgotten`, state.member)).status).to.equal(500);
      await eventually(
        () => without.output().includes('There is no user: add @svc_user to the view.'),
        'the log says it',
      );
      expect((await ask(`${without.url}/optional`, state.member)).status).to.equal(500);
      await eventually(
        () => without.output().includes('Set SVC_ENVIRONMENT_ID, the id of'),
        'the log names the setting',
      );
      const { url } = await serve(server, { WITH_MIDDLEWARE: '1' });
      expect((await ask(`${url}/undecorated`, state.member)).body).to.deep.equal({ id: state.userId });
      expect((await ask(`${url}/undecorated`, state.foreign)).body).to.deep.equal({ id: null });
      expect((await ask(`${url}/forgotten`, state.member)).body).to.deep.equal({ id: state.userId });
      expect(await codeOf(`${url}/organization`)).to.equal('401 unauthenticated');
    });

  it('FastAPI: shows the access token in its OpenAPI document, and its own form of errors without the handler', async () => {
    const { url } = await serve(
      servers['FastAPI'] ?? others['FastAPI'] ?? { folder: '', settings: '', start: runserver },
    );
    const { body } = await ask(`${url}/openapi.json`);
    const schemes: unknown = at(at(body, 'components'), 'securitySchemes');
    expect(schemes).to.have.all.keys('svc');
    expect(at(at(schemes, 'svc'), 'scheme')).to.equal('bearer');
    const operation = (path: string, method: string): unknown => at(at(at(body, 'paths'), path), method);
    expect(at(operation('/api/team', 'get'), 'security')).to.deep.equal([{ svc: [] }]);
    expect(at(operation('/webhooks/svc', 'post'), 'security')).to.equal(undefined);
    const plain = await ask(`${(await serve(otherFastapi)).url}/plain/required`);
    expect([plain.status, plain.challenge]).to.deep.equal([401, 'Bearer']);
    expect(at(at(plain.body, 'detail'), 'code')).to.equal('unauthenticated');
  });

  it('FastAPI: does not start without the id of the environment', async () => {
    const code = `
from svc_sdk.fastapi import SvcAuth
for environment_id in ("", None):
    try:
        SvcAuth(environment_id)
    except TypeError as error:
        print(error)
`;
    const message =
      'SvcAuth() needs environment_id, the id of the environment of your users: set SVC_ENVIRONMENT_ID.\n';
    expect((await run(python.python, ['-c', code])).stdout).to.equal(message.repeat(2));
  });

  it('has types for strict checkers, and says which package is missing', async () => {
    const sources = join(root, 'core/surfaces/sdk-python');
    const modules = (await readdir(join(sources, 'svc_sdk'))).filter((name) => name.endsWith('.py'));
    const programs = ['fastapi/app.py', 'django/views.py', 'django/urls.py', 'tests/fastapi_app.py'];
    const args = [
      ...['-m', 'mypy', '--strict', '--cache-dir=/dev/null', '--no-error-summary', '--no-color-output'],
      // Django’s types are a package of their own.
      '--ignore-missing-imports',
      ...modules.map((name) => join(sources, 'svc_sdk', name)),
      ...programs.map((name) => join(python.folder, name)),
    ];
    const MYPYPATH = `${sources}:${join(python.folder, 'django')}`;
    const checked: unknown = await run(python.python, args, { env: { ...process.env, MYPYPATH } }).catch(
      (error: unknown) => error,
    );
    expect(at(checked, 'stdout')).to.equal('');
    const code = `
import sys
for name in ("fastapi", "django", "jwt"):
    sys.modules[name] = None
for name in ("fastapi", "django", "tokens"):
    try:
        __import__(f"svc_sdk.{name}")
    except ImportError as error:
        print(error)
`;
    expect((await run(python.python, ['-c', code])).stdout.trim().split('\n')).to.deep.equal([
      'svc_sdk.fastapi needs FastAPI. Run: pip install fastapi',
      'svc_sdk.django needs Django. Run: pip install django',
      "svc_sdk.tokens needs PyJWT with cryptography. Run: pip install 'pyjwt[crypto]'",
    ]);
  });
});
