import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect } from 'chai';
import { useBrowser } from '#test/support/browser.js';
import { freePort } from '#test/support/free-port.js';
import type { Api } from '#test/support/api.js';
import { at, isRecord } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { root } from './shell-blocks.js';

/** The files of docs/nextjs.md: each TypeScript block names its file in the first line. */
async function filesOf(document: string): Promise<Map<string, string>> {
  const source = await readFile(join(root, document), 'utf8');
  return new Map(
    [...source.matchAll(/```ts\n\/\/ (\S+)\n([^]*?)```/g)].map(([, name = '', content = '']) => [name, content]),
  );
}

/** Calls the handler of a method that a route's module exports; undefined if it has none. */
async function handled(route: unknown, request: Request): Promise<Response | undefined> {
  const handler: unknown = isRecord(route) ? route[request.method] : undefined;
  if (typeof handler !== 'function') return undefined;
  const response: unknown = await Reflect.apply(handler, undefined, [request]);
  if (!(response instanceof Response)) throw new Error('The handler returned no Response.');
  return response;
}

/** The app of docs/nextjs.md, served as Next.js does: `app/signin/route.ts` answers `/signin`. */
describe('The app of docs/nextjs.md', function () {
  this.timeout(60_000);
  needProducts('auth', 'email');
  const platform = usePlatform({ settings: async () => ({ SVC_PORT: String(await freePort()) }) });
  const browser = useBrowser();
  const secret = 'svc_wh_secret';
  const state: { folder?: string; server?: Server; appUrl: string; svc: () => Api } = {
    appUrl: '',
    svc: () => platform.api,
  };
  const variables = ['SVC_API_URL', 'SVC_API_KEY', 'SVC_PUBLISHABLE_KEY', 'SVC_ENVIRONMENT_ID', 'SVC_WEBHOOK_SECRET'];

  before(async () => {
    const { keys, live, svc } = await platform.account();
    state.svc = () => svc;
    const port = await freePort();
    state.appUrl = `http://127.0.0.1:${port}`;
    Object.assign(process.env, {
      SVC_API_URL: platform.running.address,
      SVC_API_KEY: keys.live.secret,
      SVC_PUBLISHABLE_KEY: keys.live.publishable,
      SVC_ENVIRONMENT_ID: live.id,
      SVC_WEBHOOK_SECRET: secret,
      APP_URL: state.appUrl,
    });
    await svc.call('auth.settings.set', { redirectUrls: [`${state.appUrl}/callback`] });

    state.folder = await mkdtemp(join(tmpdir(), 'svc-nextjs-'));
    const files = await filesOf('docs/nextjs.md');
    for (const [name, source] of files) {
      await mkdir(dirname(join(state.folder, name)), { recursive: true });
      await writeFile(join(state.folder, name), source);
    }
    const routes = new Map<string, unknown>();
    for (const name of [...files.keys()].filter((each) => each.endsWith('/route.ts'))) {
      const outfile = join(state.folder, name.replace('.ts', '.mjs'));
      const sdk = (file: string) => join(root, 'core/surfaces/sdk', file);
      await build({
        entryPoints: [join(state.folder, name)],
        outfile,
        bundle: true,
        format: 'esm',
        platform: 'node',
        logLevel: 'warning',
        alias: {
          'svc-sdk/session': sdk('session.ts'),
          'svc-sdk/next': sdk('frameworks/next.ts'),
          'svc-sdk': sdk('index.ts'),
        },
      });
      const handlers: unknown = await import(pathToFileURL(outfile).href);
      routes.set(name.slice('app'.length, -'/route.ts'.length), handlers);
    }
    state.server = createServer((incoming, outgoing) => {
      const answer = async (): Promise<void> => {
        const address = new URL(incoming.url ?? '/', state.appUrl);
        const body = incoming.method === 'POST' ? await text(incoming) : null;
        const headers = new Headers();
        for (const [key, values = []] of Object.entries(incoming.headersDistinct)) headers.set(key, values.join(', '));
        const request = new Request(address, { method: incoming.method ?? 'GET', headers, body });
        const response = await handled(routes.get(address.pathname), request);
        if (!response) return void outgoing.writeHead(404).end('The app has no such page.');
        for (const [key, value] of response.headers) outgoing.appendHeader(key, value);
        outgoing.writeHead(response.status).end(await response.text());
      };
      answer().catch((error: unknown) => outgoing.writeHead(500).end(String(error)));
    }).listen(port, '127.0.0.1');
    await once(state.server, 'listening');
  });
  after(async () => {
    for (const name of [...variables, 'APP_URL']) Reflect.deleteProperty(process.env, name);
    state.server?.close().closeAllConnections();
    if (state.folder !== undefined) await rm(state.folder, { recursive: true, force: true });
  });

  const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${state.appUrl}${path}`, { method: 'POST', body, headers });

  it('signs a user in on the hosted page, and knows them afterwards', async () => {
    expect((await fetch(`${state.appUrl}/api/me`)).status).to.equal(401);
    const page = await browser.open({ locale: 'en-GB' });
    await page.goto(`${state.appUrl}/signin`);
    await page.getByLabel('Email address').fill('grace@example.com');
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('Code').waitFor();
    const mailbox = await page.context().newPage();
    await mailbox.goto(`${platform.running.address}/dev/mailbox`);
    await mailbox.getByRole('link', { name: 'grace@example.com' }).first().click();
    await mailbox.getByRole('link', { name: 'Text', exact: true }).click();
    const mail = (await mailbox.getByRole('region', { name: 'The message as text' }).textContent()) ?? '';
    await page.getByLabel('Code').fill(/\b\d{6}\b/.exec(mail)?.[0] ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${state.appUrl}/`);
    const me = await page.goto(`${state.appUrl}/api/me`);
    expect(me?.status()).to.equal(200);
    expect(at(await me?.json(), 'id')).to.be.a('string');

    // An order's mail goes to the user, whatever address the request names.
    const order = { data: { email: 'ada@example.com', number: 'A-1024' } };
    const ordered = await page.request.post(`${state.appUrl}/api/orders`, order);
    expect(ordered.status(), await ordered.text()).to.equal(200);
    await mailbox.goto(`${platform.running.address}/dev/mailbox`);
    await mailbox.getByText('Your order A-1024').waitFor();
    expect(await mailbox.getByText('ada@example.com').count()).to.equal(0);
    // The app and svc have the same host here, so the browser sends the app the cookies of svc's pages, too.
    const cookiesOfApp = async () =>
      (await page.context().cookies(state.appUrl)).filter(({ name }) => name.startsWith('svc_app_'));
    const cookies = await cookiesOfApp();
    const nameOf = (part: string): string => `svc_app_${part}_${process.env['SVC_ENVIRONMENT_ID'] ?? ''}`;
    expect(cookies.map(({ name }) => name)).to.have.members([nameOf('access'), nameOf('refresh')]);
    for (const cookie of cookies) expect(cookie).to.include({ httpOnly: true, sameSite: 'Lax' });

    // As browsers do when the access token has expired. Requests at the same time share one refresh.
    for (const round of [1, 2]) {
      await page.context().clearCookies({ name: nameOf('access') });
      const answers = await Promise.all([1, 2, 3].map(() => page.request.get(`${state.appUrl}/api/me`)));
      expect(answers.map((each) => each.status())).to.deep.equal([200, 200, 200]);
      for (const each of answers) expect(each.headers()['cache-control']).to.equal('private, no-store');
      await platform.settled();
      const { events } = await state.svc().call('developers.event.list', { types: ['auth.session.refreshed'] });
      expect(events).to.have.length(round);
    }
    await page.context().clearCookies({ name: nameOf('access') });
    await page.goto(`${state.appUrl}/signin?returnTo=/api/me`);
    expect(page.url()).to.equal(`${state.appUrl}/api/me`);

    const elsewhere = await page.request.post(`${state.appUrl}/signout`, {
      headers: { Origin: 'https://evil.example' },
    });
    expect(elsewhere.status()).to.equal(403);
    await page.request.post(`${state.appUrl}/signout`, { maxRedirects: 0 });
    expect(await cookiesOfApp()).to.deep.equal([]);
    expect((await page.request.get(`${state.appUrl}/api/me`)).status()).to.equal(401);
    await platform.settled();
    const { events } = await state.svc().call('developers.event.list', { types: ['auth.session.signed_out'] });
    expect(events).to.have.length(1);
  });

  it('never leads to another origin after a sign-in', async () => {
    for (const returnTo of ['https://evil.example/', '//evil.example', '/\\\\evil.example', 'javascript:alert(1)']) {
      const query = new URLSearchParams({ returnTo }).toString();
      const answer = await fetch(`${state.appUrl}/signin?${query}`, { redirect: 'manual' });
      expect(answer.headers.getSetCookie().join()).to.contain(`.${encodeURIComponent(`${state.appUrl}/`)};`);
    }
  });

  it('sends no mail for people who are not signed in', async () => {
    const body = JSON.stringify({ email: 'ada@example.com', number: 'A-1024' });
    expect((await post('/api/orders', body)).status).to.equal(401);
  });

  it('starts again after a callback that this browser did not ask for', async () => {
    const answer = await fetch(`${state.appUrl}/callback?svc_code=old&state=other`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).to.deep.equal([303, `${state.appUrl}/signin`]);
    // A sign-in that was started in another tab stays.
    expect(answer.headers.getSetCookie()).to.deep.equal([]);
  });

  it('accepts webhooks with a valid signature only', async () => {
    const body = JSON.stringify({ id: '1', type: 'account.updated', data: {} });
    const time = Math.floor(Date.now() / 1000);
    const sign = (key: string): string =>
      `t=${time},v1=${createHmac('sha256', key).update(`${time}.${body}`).digest('hex')}`;
    expect((await post('/webhooks/svc', body, { 'Svc-Signature': sign(secret) })).status).to.equal(204);
    expect((await post('/webhooks/svc', body, { 'Svc-Signature': sign('other') })).status).to.equal(400);
    expect((await post('/webhooks/svc', body)).status).to.equal(400);
    const large = 'x'.repeat(1_048_577);
    expect((await post('/webhooks/svc', large)).status).to.equal(413);
  });
});
