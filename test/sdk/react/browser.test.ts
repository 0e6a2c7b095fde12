import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { createTokenVerifier } from 'svc-sdk/session';
import { newId } from '#core/runtime/id.js';
import { root } from '#test/docs/shell-blocks.js';
import { useBrowser } from '#test/support/browser.js';
import { minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { freePort } from '#test/support/free-port.js';
import { join as addMember, organizationOf, person } from '#test/auth/people.js';
import { signedIn } from '#test/auth/support.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

const rolePage = `
import { createRoot } from 'react-dom/client';
import { Protect, SignOutButton, SvcProvider, useSession } from 'svc-sdk/react';
function Update() {
  const { getToken } = useSession();
  return <button onClick={() => getToken({ fresh: true })}>Update</button>;
}
createRoot(document.getElementById('root')).render(
  <SvcProvider
    baseUrl={import.meta.env.VITE_SVC_URL}
    environmentId={import.meta.env.VITE_SVC_ENVIRONMENT_ID}
    publishableKey={import.meta.env.VITE_SVC_PUBLISHABLE_KEY}
  >
    <Protect role="admin" fallback={<p>No admin</p>}><p>For admins</p></Protect>
    <Protect role={['owner', 'member']} fallback={<p>No owner or member</p>}><p>For owners and members</p></Protect>
    <Update /> <SignOutButton />
  </SvcProvider>,
);
`;

/** The app of docs/react.md, bundled for both versions of React, in real tabs of a browser. */
describe('The app of docs/react.md', function () {
  this.timeout(60_000);
  needProducts('auth', 'email');
  const platform = usePlatform({ settings: async () => ({ SVC_PORT: String(await freePort()) }) });
  const browser = useBrowser();
  const state: { folder: string; server?: Server; app: string; account?: TestAccount } = { folder: '', app: '' };
  const account = (): TestAccount => {
    if (!state.account) throw new Error('There is no account.');
    return state.account;
  };

  before(async () => {
    state.account = await platform.account();
    const port = await freePort();
    state.app = `http://127.0.0.1:${port}`;
    await account().svc.call('auth.settings.set', { redirectUrls: [state.app] });
    state.folder = await mkdtemp(join(tmpdir(), 'svc-react-'));
    await symlink(join(root, 'node_modules'), join(state.folder, 'node_modules'));
    const source = await readFile(join(root, 'docs/react.md'), 'utf8');
    for (const [, name = '', content = ''] of source.matchAll(/```tsx\n\/\/ (\S+)\n([^]*?)```/g)) {
      await mkdir(dirname(join(state.folder, name)), { recursive: true });
      await writeFile(join(state.folder, name), content);
    }
    const bundles = new Map<string, string>();
    await writeFile(join(state.folder, 'src/role.tsx'), rolePage);
    for (const version of ['19', '18']) bundles.set(`/${version}.js`, await bundle(version));
    bundles.set('/role.js', await bundle('19', 'role.tsx'));
    const verify = createTokenVerifier({
      baseUrl: platform.running.address,
      environmentId: account().live.id,
      now: () => platform.clock.now().getTime(),
    });
    state.server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', state.app);
      const script = bundles.get(pathname);
      if (script !== undefined) {
        response.setHeader('Content-Type', 'text/javascript');
        response.end(script);
      } else if (pathname === '/api/me') {
        verify((request.headers.authorization ?? '').slice('Bearer '.length)).then(
          ({ sub, org_role }) => response.end(`${sub} ${org_role ?? 'nobody'}`),
          () => response.writeHead(401).end('Sign in first.'),
        );
      } else {
        const script = ['18', 'role'].find((each) => pathname === `/${each}/`) ?? '19';
        response.setHeader('Content-Type', 'text/html');
        response.end(`<!doctype html><div id="root"></div><script type="module" src="/${script}.js"></script>`);
      }
    }).listen(port, '127.0.0.1');
    await once(state.server, 'listening');
  });
  after(async () => {
    state.server?.close().closeAllConnections();
    if (state.folder !== '') await rm(state.folder, { recursive: true, force: true });
  });

  /** As Vite does, with the variables of .env.local. */
  async function bundle(version: string, entry = 'main.tsx'): Promise<string> {
    const { live, keys } = account();
    const library = version === '19' ? ['react', 'react-dom'] : ['react-18', 'react-dom-18'];
    const [react = '', dom = ''] = library.map((name) => join(root, 'node_modules', name));
    const { outputFiles } = await build({
      entryPoints: [join(state.folder, 'src', entry)],
      bundle: true,
      write: false,
      format: 'esm',
      jsx: 'automatic',
      logLevel: 'warning',
      define: {
        'import.meta.env.VITE_SVC_URL': JSON.stringify(platform.running.address),
        'import.meta.env.VITE_SVC_ENVIRONMENT_ID': JSON.stringify(live.id),
        'import.meta.env.VITE_SVC_PUBLISHABLE_KEY': JSON.stringify(keys.live.publishable),
      },
      alias: { 'svc-sdk/react': join(root, 'core/surfaces/sdk/react/index.ts'), react, 'react-dom': dom },
    });
    return outputFiles[0]?.text ?? '';
  }

  /** A window whose clock moves only with the server's. */
  async function opened(path = '/'): Promise<Page> {
    const page = await browser.open({ locale: 'en-GB' });
    await page.context().clock.install({ time: platform.clock.now() });
    await page.goto(`${state.app}${path}`);
    return page;
  }

  async function later(context: BrowserContext, ms: number): Promise<void> {
    platform.clock.advance(ms);
    await context.clock.fastForward(ms);
  }

  /** The inputs of an operation's calls from now on. */
  function inputsOf(context: BrowserContext, path: string): string[] {
    const inputs: string[] = [];
    context.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith(path)) inputs.push(request.postData() ?? '');
    });
    return inputs;
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  const storedIn = (page: Page, name: string): Promise<unknown> =>
    page.evaluate(`localStorage.getItem('svc-session.${account().live.id}.${name}')`);

  /** Signs up on the hosted page with a code from the mailbox, and returns. */
  async function signUp(page: Page, email: string): Promise<void> {
    await button(page, 'Sign up').click();
    await page.getByLabel('Email address').fill(email);
    await button(page, 'Email me a code').click();
    await page.getByLabel('Code').waitFor();
    const mailbox = await page.context().newPage();
    await mailbox.goto(`${platform.running.address}/dev/mailbox`);
    await mailbox.getByRole('link', { name: email }).first().click();
    await mailbox.getByRole('link', { name: 'Text', exact: true }).click();
    const mail = (await mailbox.getByRole('region', { name: 'The message as text' }).textContent()) ?? '';
    await mailbox.close();
    await page.getByLabel('Code').fill(/\b\d{6}\b/.exec(mail)?.[0] ?? '');
    await button(page, 'Sign in').click();
    await page.getByRole('heading', { name: `Hello ${email}` }).waitFor();
  }

  /** What the app's server answers to “Who am I?”. */
  async function answerTo(page: Page): Promise<string> {
    const response = page.waitForResponse((each) => each.url().endsWith('/api/me'));
    await button(page, 'Who am I?').click();
    return (await response).text();
  }

  /** A page of the app with the session of a user who signed in before. */
  async function openedBy(email: string, path = '/', prepare?: (context: BrowserContext) => Promise<unknown>) {
    const { accessToken, accessTokenExpiresAt, refreshToken, refreshTokenExpiresAt, userId } = await signedIn(
      platform,
      account().live,
      { email },
    );
    const { user } = await account().svc.call('auth.user.get', { userId });
    const refreshKey = newId();
    const record = { accessToken, accessTokenExpiresAt, refreshToken, refreshTokenExpiresAt, refreshKey, user };
    const page = await openedWith(record, path, prepare);
    await page.getByRole('heading', { name: `Hello ${email}` }).waitFor();
    return { page, context: page.context(), userId };
  }

  /** A page of the app in a browser that has kept this. */
  async function openedWith(record: object, path: string, prepare?: (context: BrowserContext) => Promise<unknown>) {
    const item = [`svc-session.${account().live.id}`, JSON.stringify(record)].map((each) => JSON.stringify(each));
    const page = await opened('/api/none');
    await prepare?.(page.context());
    await page.evaluate(`localStorage.setItem(${item.join(', ')})`);
    await page.goto(`${state.app}${path}`);
    return page;
  }

  async function anotherTab(page: Page): Promise<Page> {
    const tab = await page.context().newPage();
    await tab.goto(`${state.app}/`);
    await tab.getByRole('heading', { name: 'Hello' }).waitFor();
    return tab;
  }

  it('signs people up on the hosted page, and continues where they were', async () => {
    const path = '/orders?page=2#last';
    const page = await opened(path);
    const exchanges = inputsOf(page.context(), '/auth/session/exchange');
    const addresses: string[] = [];
    const tab = await page.context().newPage();
    await tab.goto(`${state.app}/`);
    await button(tab, 'Sign in').waitFor();
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await signUp(page, 'ada@example.com');
    expect(page.url()).to.equal(`${state.app}${path}`);
    await tab.getByRole('heading', { name: 'Hello ada@example.com' }).waitFor();
    expect(exchanges).to.have.length(1);
    const [id = ''] = (await answerTo(page)).split(' ');
    const { user } = await account().svc.call('auth.user.get', { userId: id });
    expect(user).to.include({ email: 'ada@example.com' });
    // It came back with a code, which is neither in the address nor in the history.
    expect(addresses.filter((each) => each.includes('svc_code'))).to.have.length(1);
    expect(await storedIn(page, 'sign-ins')).to.equal(null);
    await page.goBack();
    expect(page.url()).to.not.contain('svc_code');
  });

  it('works with React 18', async () => {
    const { page, context, userId } = await openedBy('ida@example.com', '/18/');
    await later(context, minutes(16));
    expect(await answerTo(page)).to.equal(`${userId} nobody`);
    await button(page, 'Sign out').click();
    await button(page, 'Sign in').waitFor();
  });

  it('refreshes once for all tabs, and signs out in all of them', async () => {
    const { page, context, userId } = await openedBy('grace@example.com');
    const tab = await anotherTab(page);
    const refreshes = inputsOf(context, '/auth/session/refresh');
    for (const round of [1, 2]) {
      await later(context, minutes(16));
      await Promise.all([page, tab].map((each) => button(each, 'Who am I?').click()));
      expect(await answerTo(page)).to.equal(await answerTo(tab));
      // Each token is used up once. A request whose response takes long is repeated with the same one.
      expect(new Set(refreshes).size).to.equal(round);
    }
    await button(tab, 'Sign out').click();
    for (const each of [tab, page]) await button(each, 'Sign in').waitFor();
    expect(await page.evaluate('localStorage.length')).to.equal(0);
    const isOver = async (): Promise<boolean> =>
      (await account().svc.call('auth.session.list', { userId })).sessions.length === 0;
    await eventually(isOver, 'the session to end on the server');
  });

  it('keeps the session in browsers without Web Locks, when tabs refresh at the same moment', async () => {
    const { page, context, userId } = await openedBy('lin@example.com', '/', (each) =>
      each.addInitScript("Object.defineProperty(navigator, 'locks', { value: undefined })"),
    );
    const tabs = [page, await anotherTab(page)];
    const refreshes = inputsOf(context, '/auth/session/refresh');
    for (const round of [1, 2]) {
      await later(context, minutes(16));
      await eventually(() => new Set(refreshes).size >= round, 'a refresh');
      const answers = await Promise.all(tabs.map(answerTo));
      expect(answers).to.deep.equal([`${userId} nobody`, `${userId} nobody`]);
    }
  });

  it('stays signed in without a connection, and signs out if the session was ended', async () => {
    const { page, context, userId } = await openedBy('mary@example.com');
    await page.route('**/auth/session/refresh', (route) => route.abort('internetdisconnected'));
    await later(context, minutes(16));
    await page.reload();
    await later(context, minutes(1));
    await page.getByRole('heading', { name: 'Hello' }).waitFor();
    await page.unroute('**/auth/session/refresh');
    expect(await answerTo(page)).to.contain(userId);
    await account().svc.call('auth.session.revoke', { userId });
    await later(context, minutes(16));
    await button(page, 'Sign in').waitFor();
  });

  for (const [how, between] of [
    ['', (page: Page): Promise<unknown> => page.reload()],
    [' in another tab', (page: Page): Promise<unknown> => page.goto('about:blank')],
  ] as const)
    it(`stays signed in if the connection is lost for an hour during a refresh, and goes on${how}`, async () => {
      const email = `dot${how.length}@example.com`;
      const { page, context, userId } = await openedBy(email);
      const refreshes = inputsOf(context, '/auth/session/refresh');
      // The server refreshes, and the replies do not arrive.
      const lost: number[] = [];
      await context.route('**/auth/session/refresh', async (route) => {
        lost.push((await route.fetch()).status());
        await route.abort('internetdisconnected');
      });
      await later(context, minutes(16));
      await eventually(() => lost.length > 0, 'a refresh whose reply is lost');
      await between(page);
      await later(context, minutes(60));
      // The server's stored answers are gone after 30 seconds by the database's clock.
      await platform.running.services.database.run('DELETE FROM svc_idempotency');
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      expect(lost[0]).to.equal(200);
      const tab = how === '' ? page : await context.newPage();
      await tab.goto(`${state.app}/`);
      await tab.getByRole('heading', { name: `Hello ${email}` }).waitFor();
      expect(await answerTo(tab)).to.contain(userId);
      expect(new Set(refreshes).size).to.equal(1);
      await later(context, minutes(16));
      expect(await answerTo(tab)).to.contain(userId);
      expect(new Set(refreshes).size).to.equal(2);
    });

  it('uses no code that this browser did not ask for, and takes it out of the address', async () => {
    const page = await opened('/?svc_code=svc_hc_other&state=other&page=2');
    await page.getByRole('alert').waitFor();
    expect(page.url()).to.equal(`${state.app}/?page=2`);
  });

  it('never leads to another origin after a sign-in', async () => {
    // An address of the app whose path alone would be that of another host.
    const page = await opened('//evil.example/?svc_code=svc_hc_other&state=other');
    await page.getByRole('alert').waitFor();
    expect(page.url()).to.equal(`${state.app}//evil.example/`);
    await button(page, 'Sign in').click();
    await page.getByLabel('Email address').waitFor();
    await page.goto(`${state.app}/api/none`);
    const kept = String(await storedIn(page, 'sign-ins'));
    expect(/"returnTo":"([^"]+)"/.exec(kept)?.[1]).to.equal(`${state.app}/`);
  });

  it('shows what a role may see, and shows it anew after a fresh token', async () => {
    const owner = await person(platform, account(), 'rosalind');
    const { id: organizationId } = await organizationOf(owner, 'Double Helix');
    const member = await person(platform, account(), 'barbara');
    await addMember(platform, organizationId, member, 'admin');
    const { accessToken, expiresAt } = await member.call('auth.org.switch', { organizationId });
    const { user } = await account().svc.call('auth.user.get', { userId: member.userId });
    const { refreshToken, refreshTokenExpiresAt } = member;
    const tokens = { accessToken, accessTokenExpiresAt: expiresAt, refreshToken, refreshTokenExpiresAt };
    const page = await openedWith({ ...tokens, user }, '/role/');
    await page.getByText('For admins', { exact: true }).waitFor();
    expect(await page.getByText('For owners and members').count()).to.equal(0);
    await page.getByText('No owner or member', { exact: true }).waitFor();
    await owner.call('auth.org.member.update', { organizationId, userId: member.userId, role: 'member' });
    await page.reload();
    await page.getByText('For admins', { exact: true }).waitFor();
    await button(page, 'Update').click();
    await page.getByText('For owners and members', { exact: true }).waitFor();
    await page.getByText('No admin', { exact: true }).waitFor();
    expect(await page.getByText('For admins').count()).to.equal(0);
    await button(page, 'Sign out').click();
    await page.getByText('No owner or member', { exact: true }).waitFor();
  });

  it('switches the organization in all tabs', async () => {
    const { page, userId } = await openedBy('joan@example.com');
    const { accessToken } = await signedIn(platform, account().live, { email: 'joan@example.com' });
    const key = account().keys.live.publishable;
    await fetch(`${platform.running.address}/auth/org/create`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ accessToken, name: 'Looms' }),
    });
    const tab = await anotherTab(page);
    await tab.getByLabel('Organization').selectOption({ label: 'Looms' });
    await eventually(async () => (await tab.getByLabel('Organization').inputValue()) !== '', 'the switch');
    await page.reload();
    expect(await answerTo(tab)).to.equal(`${userId} owner`);
    expect(await answerTo(page)).to.equal(`${userId} owner`);
  });
});
