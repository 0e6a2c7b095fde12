import { expect } from 'chai';
import { serverAuth } from 'svc-sdk/next';
import type { Environment } from '#core/kernel/caller/caller.js';
import { readSession } from '#plugins/auth/sessions/read.js';
import { issueHandoff } from '#plugins/auth/signin/handoff.js';
import { signedIn } from '#test/auth/support.js';
import { hours, minutes, seconds } from '#test/support/clock.js';
import { freePort } from '#test/support/free-port.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

const appUrl = 'https://app.example.com';

/** Sessions in cookies, as a browser and the handlers of an app see them. */
describe('serverAuth', () => {
  needProducts('auth');
  // Tokens name the address of their issuer.
  const platform = usePlatform({ settings: async () => ({ SVC_PORT: String(await freePort()) }) });
  const now = (): number => platform.clock.now().getTime();

  const authOf = ({ live, test, keys }: TestAccount, kind: 'live' | 'test' = 'live', clock = now) =>
    serverAuth({
      baseUrl: platform.running.address,
      environmentId: (kind === 'live' ? live : test).id,
      publishableKey: keys[kind].publishable,
      appUrl,
      now: clock,
    });
  type Auth = ReturnType<typeof authOf>;

  /** A browser that keeps cookies until they expire. */
  function browserOf() {
    const cookies = new Map<string, { value: string; until: number }>();
    const keep = (response: Response): Response => {
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = '', age = ''] = /^([^=]+)=([^;]*);.*Max-Age=(\d+)/.exec(line) ?? [];
        cookies.set(name, { value, until: now() + Number(age) * 1000 });
      }
      return response;
    };
    const present = (): [string, string][] =>
      [...cookies].filter(([, { until }]) => until > now()).map(([name, { value }]) => [name, value]);
    const request = (path: string): Request => {
      const header = present().map(([name, value]) => `${name}=${value}`);
      return new Request(`${appUrl}${path}`, { headers: { Cookie: header.join('; ') } });
    };
    const get = async (handler: (request: Request) => Promise<Response>, path = '/'): Promise<Response> =>
      keep(await handler(request(path)));
    return { get, request, keep, names: () => present().map(([name]) => name) };
  }
  type Browser = ReturnType<typeof browserOf>;

  /** Starts a sign-in. @returns what the hosted pages get to know of it */
  async function start(browser: Browser, auth: Auth, returnTo = '/orders'): Promise<URLSearchParams> {
    const started = await browser.get(auth.signIn, `/signin?returnTo=${encodeURIComponent(returnTo)}`);
    return new URL(started.headers.get('Location') ?? '').searchParams;
  }

  /** Signs in through the callback, as the hosted pages return. */
  async function finish(
    browser: Browser,
    auth: Auth,
    environment: Environment,
    started: URLSearchParams,
  ): Promise<{ sessionId: string; location: string | null }> {
    const { sessionId } = await signedIn(platform, environment);
    const address = await platform.running.services.transaction('Test', async (context) => {
      context.actIn(environment);
      const found = await readSession(context.db, environment.id, sessionId);
      if (!found) throw new Error('The session was not opened.');
      const { session } = found;
      return issueHandoff(context, session, `${appUrl}/callback`, started.get('codeChallenge'));
    });
    const returned = new URL(address);
    returned.searchParams.set('state', started.get('state') ?? '');
    const done = await browser.get(auth.callback, `${returned.pathname}${returned.search}`);
    return { sessionId, location: done.headers.get('Location') };
  }

  async function signIn(browser: Browser, auth: Auth, environment: Environment): Promise<string> {
    const { sessionId, location } = await finish(browser, auth, environment, await start(browser, auth));
    expect(location).to.equal(`${appUrl}/orders`);
    return sessionId;
  }

  const me = (auth: Auth) => auth.requireUser((_request: Request, user) => Response.json({ id: user.sid }));

  const refreshes = async ({ live }: TestAccount): Promise<number> =>
    (await platform.events(live)).filter(({ type }) => type === 'auth.session.refreshed').length;

  /** Stored answers are for 30 seconds of the database's clock. */
  const forgetStoredAnswers = async (): Promise<void> => {
    await platform.running.services.database.run('DELETE FROM svc_idempotency');
  };

  async function anHourLater(): Promise<void> {
    platform.clock.advance(hours(1));
    await forgetStoredAnswers();
  }

  it('keeps sessions of test and live in one browser', async () => {
    const account = await platform.account();
    const browser = browserOf();
    const [live, test] = [authOf(account), authOf(account, 'test')];
    const ids = [await signIn(browser, live, account.live), await signIn(browser, test, account.test)];
    for (const round of [1, 2]) {
      const answers = [await browser.get(me(live)), await browser.get(me(test))];
      expect(await Promise.all(answers.map((each) => each.json())), `round ${round}`).to.deep.equal(
        ids.map((id) => ({ id })),
      );
      platform.clock.advance(minutes(16));
    }
    const names = (id: string) => [`__Host-svc_app_access_${id}`, `__Host-svc_app_refresh_${id}`];
    await browser.get(me(live));
    await browser.get(me(test));
    expect(browser.names()).to.have.members([...names(account.live.id), ...names(account.test.id)]);
  });

  it('stays signed in if the response of a refresh is lost, and the next request is an hour later', async () => {
    const account = await platform.account();
    const browser = browserOf();
    const auth = authOf(account);
    const id = await signIn(browser, auth, account.live);
    platform.clock.advance(minutes(16));
    const lost = await me(auth)(browser.request('/'));
    expect([lost.status, lost.headers.getSetCookie().length]).to.deep.equal([200, 2]);
    await anHourLater();
    expect(await (await browser.get(me(auth))).json()).to.deep.equal({ id });
    expect(await refreshes(account)).to.equal(2);
    platform.clock.advance(minutes(16));
    expect(await (await browser.get(me(auth))).json()).to.deep.equal({ id });
    expect(await refreshes(account)).to.equal(3);
  });

  it('stays signed in if the handler throws in the request that refreshes', async () => {
    const account = await platform.account();
    const browser = browserOf();
    const auth = authOf(account);
    const id = await signIn(browser, auth, account.live);
    platform.clock.advance(minutes(16));
    const failing = auth.requireUser((): Response => {
      throw new Error('NEXT_REDIRECT');
    });
    const failed: unknown = await browser.get(failing).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error).with.property('message', 'NEXT_REDIRECT');
    await anHourLater();
    expect(await (await browser.get(me(auth))).json()).to.deep.equal({ id });
    // A thrown response carries the cookies itself.
    platform.clock.advance(minutes(16));
    const redirecting = auth.requireUser((): Response => {
      const redirect: unknown = new Response(null, { status: 302, headers: { Location: '/elsewhere' } });
      throw redirect;
    });
    const thrown: unknown = await redirecting(browser.request('/')).catch((error: unknown) => error);
    if (!(thrown instanceof Response)) throw new Error('No response was thrown.');
    expect([thrown.status, thrown.headers.get('Location')]).to.deep.equal([302, '/elsewhere']);
    browser.keep(thrown);
    const count = await refreshes(account);
    expect(await (await browser.get(me(auth))).json()).to.deep.equal({ id });
    expect(await refreshes(account)).to.equal(count);
  });

  for (const afterLost of [false, true])
    it(`stays signed in if a later request got other tokens while a handler ran${afterLost ? ', after a lost response' : ''}`, async () => {
      const account = await platform.account();
      const browser = browserOf();
      const auth = authOf(account);
      const id = await signIn(browser, auth, account.live);
      platform.clock.advance(minutes(16));
      const old = browser.request('/');
      // The slow request then gets the stored answer of this one's refresh, which is 20 seconds old.
      const before = afterLost ? 20 : 0;
      if (afterLost) await me(auth)(new Request(old));
      platform.clock.advance(seconds(before));
      const slow = auth.requireUser(async () => {
        platform.clock.advance(seconds(33 - before));
        await forgetStoredAnswers();
        expect(browser.keep(await me(auth)(new Request(old))).status).to.equal(200);
        platform.clock.advance(seconds(7));
        return new Response();
      });
      browser.keep(await slow(new Request(old)));
      platform.clock.advance(minutes(16));
      expect(await (await browser.get(me(auth))).json()).to.deep.equal({ id });
    });

  it('sets the same cookies in all responses to requests that refresh together', async () => {
    const account = await platform.account();
    const browser = browserOf();
    const auth = authOf(account);
    await signIn(browser, auth, account.live);
    platform.clock.advance(minutes(16));
    const request = browser.request('/');
    const answers = await Promise.all([1, 2, 3].map(() => me(auth)(new Request(request))));
    const values = answers.map(({ headers }) => headers.getSetCookie().map((each) => each.slice(0, each.indexOf(';'))));
    expect(values[0]).to.have.length(2);
    expect([values[1], values[2]]).to.deep.equal([values[0], values[0]]);
  });

  it('says that the clock of the app is wrong, instead of refreshing and redirecting without end', async () => {
    const account = await platform.account();
    const browser = browserOf();
    const auth = authOf(account, 'live', () => now() + hours(2));
    await signIn(browser, auth, account.live);
    // The cookies last as long as the tokens.
    expect(browser.names()).to.have.length(2);
    const words = 'the clock of this server differs from that of svc by 7200 s. Set the clock of this server';
    for (const attempt of [browser.get(auth.signIn, '/signin?returnTo=/orders'), browser.get(me(auth))]) {
      const failed: unknown = await attempt.catch((error: unknown) => error);
      expect(failed).to.be.instanceOf(Error).with.property('message').that.contains(words);
    }
    expect(await refreshes(account)).to.equal(1);
  });

  it('names the reason if a new access token is not valid for another reason than the clock', async () => {
    const account = await platform.account();
    const browser = browserOf();
    await signIn(browser, authOf(account), account.live);
    // The app's settings name another environment than that of its key.
    const mixed = serverAuth({
      baseUrl: platform.running.address,
      environmentId: account.test.id,
      publishableKey: account.keys.live.publishable,
      appUrl,
      now,
    });
    const cookies = (browser.request('/').headers.get('Cookie') ?? '').replaceAll(account.live.id, account.test.id);
    const request = new Request(appUrl, { headers: { Cookie: cookies } });
    const failed: unknown = await me(mixed)(request).catch((error: unknown) => error);
    expect(failed)
      .to.be.instanceOf(Error)
      .with.property('message')
      .that.contains('not valid here: unknown_key. Check that environmentId')
      .and.not.contains('clock');
  });

  it('returns to the start page if the address to return to is too long for a cookie', async () => {
    const auth = authOf(await platform.account());
    const keptOf = async (returnTo: string): Promise<string> => {
      const response = await browserOf().get(auth.signIn, `/signin?returnTo=${encodeURIComponent(returnTo)}`);
      const [value = ''] = response.headers.getSetCookie().join().split(';');
      return decodeURIComponent(value.split('.').slice(3).join('.'));
    };
    const long = `/orders?q=${'x'.repeat(1_900)}`;
    expect(await keptOf(long)).to.equal(`${appUrl}${long}`);
    for (const tooLong of [`/orders?q=${'x'.repeat(4_096)}`, '/'.padEnd(1_950, 'a/'), `/${'é'.repeat(600)}`])
      expect(await keptOf(tooLong)).to.equal(`${appUrl}/`);
  });

  it('refreshes once per lifetime if the clock of the app is behind', async () => {
    const account = await platform.account();
    const browser = browserOf();
    const auth = authOf(account, 'live', () => now() - hours(2));
    await signIn(browser, auth, account.live);
    for (const round of [0, 1, 2]) {
      for (const again of [1, 2]) expect((await browser.get(me(auth))).status, `${again}`).to.equal(200);
      expect(await refreshes(account)).to.equal(round);
      platform.clock.advance(minutes(15));
    }
  });

  it('completes sign-ins of several tabs, whatever else is sent to the callback', async () => {
    const account = await platform.account();
    const browser = browserOf();
    const auth = authOf(account);
    const tabs = [await start(browser, auth, '/orders'), await start(browser, auth, '/invoices')];
    const sent = await browser.get(auth.callback, '/callback?svc_code=svc_hc_other&state=other');
    expect(sent.headers.get('Location')).to.equal(`${appUrl}/signin`);
    const ends: unknown[] = [];
    for (const tab of tabs) ends.push((await finish(browser, auth, account.live, tab)).location);
    expect(ends).to.deep.equal([`${appUrl}/orders`, `${appUrl}/invoices`]);
    // Each callback removed its own cookie.
    expect(browser.names().map((name) => name.split('_')[4])).to.have.members(['access', 'refresh']);
  });

  it('keeps the last sign-ins that were started, and of long addresses no more than the headers may have', async () => {
    const account = await platform.account();
    const auth = authOf(account);
    for (const [length, kept] of [
      [10, 5],
      [1_500, 2],
      [1_900, 1],
    ] as const) {
      const browser = browserOf();
      const started: URLSearchParams[] = [];
      for (let tab = 0; tab < 8; tab += 1) {
        started.push(await start(browser, auth, `/orders?q=${tab}${'x'.repeat(length)}`));
        platform.clock.advance(1);
      }
      expect(browser.names()).to.have.length(kept);
      expect((browser.request('/').headers.get('Cookie') ?? '').length).to.be.below(4_100);
      const last = started.slice(-kept);
      for (const [index, tab] of last.entries())
        expect((await finish(browser, auth, account.live, tab)).location).to.contain(`q=${8 - kept + index}x`);
      const first = started[0] ?? new URLSearchParams();
      expect((await finish(browser, auth, account.live, first)).location).to.equal(`${appUrl}/signin`);
    }
  });

  it('fills in the address on the hosted page', async () => {
    const account = await platform.account();
    const { headers } = await browserOf().get(authOf(account).signIn, '/signin?returnTo=/&email=ada%2B1@example.com');
    const { searchParams, pathname } = new URL(headers.get('Location') ?? '');
    expect([pathname, searchParams.get('email')]).to.deep.equal([
      `/auth/${account.live.id}/signin`,
      'ada+1@example.com',
    ]);
    const page = await fetch(headers.get('Location') ?? '');
    expect(page.status).to.equal(400);
    await account.svc.call('auth.settings.set', { redirectUrls: [`${appUrl}/callback`] });
    expect(await (await fetch(headers.get('Location') ?? '')).text()).to.contain('value="ada+1@example.com"');
  });

  it('tells the person to wait while the server refuses further calls, and keeps the sign-in', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { rateLimits: { completePerIp: { max: 1 } } });
    const auth = authOf(account);
    const junk = async (browser: Browser): Promise<Response> => {
      const state = (await start(browser, auth)).get('state') ?? '';
      return browser.get(auth.callback, `/callback?svc_code=svc_hc_junk&state=${state}`);
    };
    expect((await junk(browserOf())).headers.get('Location')).to.equal(
      `${appUrl}/signin?returnTo=${encodeURIComponent(`${appUrl}/orders`)}`,
    );
    const waiting = browserOf();
    const answer = await junk(waiting);
    expect([answer.status, answer.headers.get('Retry-After')]).to.deep.equal([429, '600']);
    expect(await answer.text()).to.contain('Wait 600 s, then reload this page.');
    expect(waiting.names()).to.have.length(1);
    // Whoever comes back with a right code is signed in all the same.
    await signIn(browserOf(), auth, account.live);
  });
});
