import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { expect } from 'chai';
import express from 'express';
import { receiveEvents } from 'svc-sdk/express';
import { svcAuth, type UserCheckOptions } from 'svc-sdk/next';
import { signedIn } from '#test/auth/support.js';
import { root } from '#test/docs/shell-blocks.js';
import { apiAt } from '#test/support/api.js';
import { freePort } from '#test/support/free-port.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

const secret = 'svc_wh_secret';
const variables = ['SVC_API_URL', 'SVC_ENVIRONMENT_ID', 'SVC_WEBHOOK_SECRET'];

/** Each framework's own server, as docs/frameworks.md says. */
const frameworks: Record<string, () => Promise<RequestListener>> = {
  express: async () => {
    const { app } = await import('../../examples/middleware/express.js');
    return (incoming, outgoing) => void app(incoming, outgoing);
  },
  koa: async () => {
    const { app } = await import('../../examples/middleware/koa.js');
    const handle = app.callback();
    return (incoming, outgoing) => void handle(incoming, outgoing);
  },
  fastify: async () => {
    const { app } = await import('../../examples/middleware/fastify.js');
    await app.ready();
    return (incoming, outgoing) => app.routing(incoming, outgoing);
  },
  hono: async () => {
    const { app } = await import('../../examples/middleware/hono.js');
    const handle = getRequestListener(app.fetch);
    return (incoming, outgoing) => void handle(incoming, outgoing);
  },
};

describe('The servers of docs/frameworks.md', function () {
  this.timeout(60_000);
  needProducts('auth');
  // Tokens name the address of their issuer, which the servers compare with SVC_API_URL.
  const platform = usePlatform({ settings: async () => ({ SVC_PORT: String(await freePort()) }) });
  const servers: Server[] = [];
  const addresses = new Map<string, string>();
  const state: { account?: TestAccount; member: string; owner: string; userId: string; foreign: string } = {
    member: '',
    owner: '',
    userId: '',
    foreign: '',
  };

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  before(async () => {
    const account = await platform.account();
    state.account = account;
    process.env['SVC_API_URL'] = platform.running.address;
    process.env['SVC_ENVIRONMENT_ID'] = account.live.id;
    process.env['SVC_WEBHOOK_SECRET'] = secret;
    for (const [name, start] of Object.entries(frameworks)) addresses.set(name, await serve(await start()));
    const { accessToken, userId } = await signedIn(platform, account.live);
    Object.assign(state, { member: accessToken, userId });
    const app = apiAt(
      () => platform.running.address,
      () => account.keys.live.publishable,
    );
    const { organization } = await app.call('auth.org.create', { accessToken, name: 'Looms' });
    const switched = await app.call('auth.org.switch', { accessToken, organizationId: organization.id });
    state.owner = switched.accessToken;
    state.foreign = (await signedIn(platform, (await platform.account()).live)).accessToken;
  });
  after(() => {
    for (const name of variables) Reflect.deleteProperty(process.env, name);
    for (const server of servers) server.close().closeAllConnections();
  });

  const signatureOf = (body: string, key = secret): string => {
    const time = Math.floor(Date.now() / 1000);
    return `t=${time},v1=${createHmac('sha256', key).update(`${time}.${body}`).digest('hex')}`;
  };
  const event = JSON.stringify({ id: '1', type: 'account.updated', data: { account: { name: 'Zoë' } } });
  const post = (address: string, body: string, signature: string): Promise<Response> =>
    fetch(`${address}/webhooks/svc`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', 'Svc-Signature': signature },
    });

  /** Sends a body in parts without its length, until an answer comes. @returns its status */
  async function endless(address: string): Promise<number | undefined> {
    const sent = request(`${address}/webhooks/svc`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
    });
    sent.on('error', () => undefined);
    const answered = new Promise<number | undefined>((resolve) =>
      sent.once('response', ({ statusCode }) => resolve(statusCode)),
    );
    const part = Buffer.alloc(64 * 1024, ' ');
    for (let size = 0; size <= 2 * 1_048_576; size += part.length) sent.write(part);
    const status = await answered;
    sent.destroy();
    return status;
  }

  for (const name of Object.keys(frameworks)) {
    it(`${name}: the document shows the example`, async () => {
      const document = await readFile(join(root, 'docs/frameworks.md'), 'utf8');
      const example = await readFile(join(root, `examples/middleware/${name}.ts`), 'utf8');
      expect(document).to.contain(`\`\`\`ts\n// app.ts\n${example}\`\`\``);
    });

    it(`${name}: knows the user of a request, and answers others as RFC 6750 says`, async () => {
      const ask = async (path: string, token?: string): Promise<[number, string | null, unknown]> => {
        const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
        const answer = await fetch(`${addresses.get(name)}${path}`, { headers });
        return [answer.status, answer.headers.get('www-authenticate'), await answer.json()];
      };
      expect(await ask('/api/me', state.member)).to.deep.equal([200, null, { id: state.userId }]);
      const body = { error: 'unauthenticated', error_description: 'Sign in first.' };
      expect(await ask('/api/me')).to.deep.equal([401, 'Bearer', body]);
      for (const token of [`${state.member.slice(0, -6)}AAAAAA`, `${state.member}!`, 'no-token', state.foreign])
        expect((await ask('/api/me', token))[1], token).to.match(
          /^Bearer error="invalid_token", error_description="The access token is not valid: [a-z_]+\."$/,
        );
      const [status, header] = await ask('/api/team', state.member);
      expect(status).to.equal(403);
      expect(header).to.equal(
        'Bearer error="insufficient_scope", error_description="Switch to an organization first."',
      );
      expect((await ask('/api/team', state.owner))[0]).to.equal(200);
    });

    it(`${name}: receives webhooks with a valid signature, up to a size`, async () => {
      const address = addresses.get(name) ?? '';
      expect((await post(address, event, signatureOf(event))).status).to.equal(204);
      expect((await post(address, event, signatureOf(event, 'other'))).status).to.equal(400);
      expect((await post(address, event, '')).status).to.equal(400);
      expect((await fetch(`${address}/webhooks/svc`, { method: 'POST' })).status).to.equal(400);
      const large = JSON.stringify({ text: 'x'.repeat(1_048_576) });
      expect((await post(address, large, signatureOf(large))).status).to.equal(413);
      expect(await endless(address)).to.equal(413);
      expect((await post(address, event, signatureOf(event))).status).to.equal(204);
    });
  }

  it('express: says that the body was parsed before its signature was checked', async () => {
    const problems: unknown[] = [];
    const app = express();
    app.use(express.json());
    app.post(
      '/webhooks/svc',
      receiveEvents({ secret }, () => undefined),
    );
    app.use((error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
      problems.push(error);
      response.status(500).end();
    });
    const address = await serve((incoming, outgoing) => void app(incoming, outgoing));
    expect((await post(address, event, signatureOf(event))).status).to.equal(500);
    expect(String(problems[0])).to.equal(
      'TypeError: The body was parsed before the webhook’s signature was checked. Register receiveEvents before express.json().',
    );
  });

  it('express: lets svc deliver an event again if handling it failed', async () => {
    const app = express();
    app.post(
      '/webhooks/svc',
      receiveEvents({ secret }, () => Promise.reject(new Error('The database is away.'))),
    );
    app.use((_error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
      response.status(500).end();
    });
    const address = await serve((incoming, outgoing) => void app(incoming, outgoing));
    expect((await post(address, event, signatureOf(event))).status).to.equal(500);
  });

  describe('svc-sdk/next', () => {
    const auth = (options: Partial<UserCheckOptions> = {}) =>
      svcAuth({ baseUrl: platform.running.address, environmentId: state.account?.live.id, ...options });
    const asked = (init: RequestInit = {}): Request => new Request('https://app.example.com/api/me', init);

    it('gives the user and the other arguments to a handler', async () => {
      const handle = auth().requireUser((_request: Request, { sub }, { params }: { params: { id: string } }) =>
        Response.json([sub, params.id]),
      );
      const answer = await handle(asked({ headers: { Authorization: `bearer ${state.member}` } }), {
        params: { id: '7' },
      });
      expect(await answer.json()).to.deep.equal([state.userId, '7']);
      expect((await handle(asked(), { params: { id: '7' } })).status).to.equal(401);
    });

    it('admits by organization and role', async () => {
      const statusOf = async (requirement: object, token: string): Promise<number> => {
        const handle = auth().requireUser(() => new Response('ok'), requirement);
        return (await handle(asked({ headers: { Authorization: `Bearer ${token}` } }))).status;
      };
      expect(await statusOf({ organization: true }, state.owner)).to.equal(200);
      expect(await statusOf({ organization: 'another' }, state.owner)).to.equal(403);
      expect(await statusOf({ roles: ['member'] }, state.owner)).to.equal(403);
      expect(await statusOf({ organization: true }, state.member)).to.equal(403);
    });

    it('reads a cookie if asked to, and refuses changes that another site sends with it', async () => {
      const headers = { Cookie: `theme=dark; access=${state.member}`, Host: 'app.example.com' };
      expect(await auth().userOf(asked({ headers }))).to.equal(null);
      const statusOf = async (method: string, more: Record<string, string>): Promise<number> => {
        const handle = auth({ cookie: 'access' }).requireUser(() => new Response('ok'));
        return (await handle(asked({ method, headers: { ...headers, ...more } }))).status;
      };
      expect(await statusOf('GET', { 'Sec-Fetch-Site': 'cross-site' })).to.equal(200);
      expect(await statusOf('POST', { 'Sec-Fetch-Site': 'same-origin' })).to.equal(200);
      expect(await statusOf('POST', { Origin: 'https://app.example.com' })).to.equal(200);
      expect(await statusOf('POST', {})).to.equal(200);
      for (const site of ['cross-site', 'same-site'])
        expect(await statusOf('POST', { 'Sec-Fetch-Site': site })).to.equal(403);
      expect(await statusOf('DELETE', { Origin: 'https://evil.example' })).to.equal(403);
    });

    it('says which setting is missing or wrong, in place of taking everybody for signed out', async () => {
      const problemWith = (options: Partial<UserCheckOptions>): Promise<unknown> =>
        auth(options)
          .userOf(asked())
          .catch((error: unknown) => error);
      expect(String(await problemWith({ environmentId: undefined }))).to.contain('svcAuth() needs environmentId');
      expect(String(await problemWith({ baseUrl: undefined }))).to.contain('svcAuth() needs baseUrl');
      const elsewhere = auth({ baseUrl: platform.running.address.replace('127.0.0.1', 'localhost') });
      const headers = { Authorization: `Bearer ${state.member}` };
      const problem: unknown = await elsewhere.userOf(asked({ headers })).catch((error: unknown) => error);
      expect(String(problem)).to.contain('baseUrl must be the server’s SVC_BASE_URL');
      const unknown = auth({ environmentId: randomUUID() });
      const missing: unknown = await unknown.userOf(asked({ headers })).catch((error: unknown) => error);
      expect(String(missing)).to.contain('answered 404: environmentId must be the id of an environment');
    });
  });
});
