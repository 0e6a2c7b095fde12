import { expect } from 'chai';
import { createServer, type IncomingMessage } from 'node:http';
import type { Page } from 'playwright-core';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { useBrowser } from '#test/support/browser.js';
import { minutes } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { leadsTo, visitor } from './visitor.js';

describe('The way from the sign-in pages to an app', function () {
  this.timeout(60_000);
  const test = useSignInMail();
  const { platform } = test;
  const browser = useBrowser();

  /** A server of the app. @returns its address, and what it was asked for */
  async function serve(
    answer: (request: IncomingMessage) => { status: number; location?: string; body?: string },
  ): Promise<{ address: string; asked: IncomingMessage[]; close: () => void }> {
    const asked: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      const { status, location, body = '' } = answer(request);
      if (request.url !== '/favicon.ico') asked.push(request);
      response.writeHead(status, { 'Content-Type': 'text/html', ...(location && { Location: location }) }).end(body);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const at = server.address();
    const port = typeof at === 'object' && at !== null ? at.port : 0;
    return { address: `http://127.0.0.1:${port}`, asked, close: () => server.close() };
  }

  const signinOf = ({ live }: TestAccount, redirectTo: string): string =>
    `/auth/${live.id}/signin?redirectTo=${encodeURIComponent(redirectTo)}`;

  async function signIn(page: Page, account: TestAccount, redirectTo: string, email: string): Promise<void> {
    await page.goto(`${platform.running.address}${signinOf(account, redirectTo)}`);
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('Code').fill(await test.codeTo(email));
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  for (const javaScriptEnabled of [true, false])
    it(`reaches an app that redirects to another of its addresses, with${javaScriptEnabled ? '' : 'out'} scripts`, async () => {
      const front = await serve(() => ({ status: 200, body: '<h1>Welcome to the app</h1>' }));
      const api = await serve(() => ({
        status: 303,
        location: `${front.address.replace('127.0.0.1', 'localhost')}/home`,
      }));
      try {
        const account = await platform.account();
        await account.svc.call('auth.settings.set', { redirectUrls: [api.address] });
        const page = await browser.open({ locale: 'en-GB', javaScriptEnabled });
        await signIn(page, account, `${api.address}/callback`, `leave-${javaScriptEnabled}@example.com`);
        await page.getByRole('heading', { name: 'Welcome to the app' }).waitFor();
        const [call] = api.asked;
        const code = new URL(call?.url ?? '', api.address).searchParams.get('svc_code') ?? '';
        expect([call?.headers.referer, front.asked[0]?.headers.referer]).to.deep.equal([undefined, undefined]);
        await test.app(account).call('auth.session.exchange', { code });
      } finally {
        api.close();
        front.close();
      }
    });

  it('reaches an app on the IPv6 loopback address', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { redirectUrls: ['http://[::1]:3000'] });
    const page = await browser.open({ locale: 'en-GB' });
    await page.route('http://[::1]:3000/**', (route) => route.fulfill({ body: 'Welcome to the app' }));
    await signIn(page, account, 'http://[::1]:3000/callback', 'leave-ipv6@example.com');
    await page.getByText('Welcome to the app').waitFor();
    expect(page.url()).to.match(/^http:\/\/\[::1\]:3000\/callback\?svc_code=svc_hc_/);
  });

  /** Signs in without scripts. @returns the browser, on the page on the way to the app */
  async function atLeave(redirectTo: string, email: string) {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { redirectUrls: [redirectTo] });
    const page = `/auth/${account.live.id}/signin`;
    const person = visitor(platform);
    expect((await person.get(signinOf(account, redirectTo))).status).to.equal(200);
    await person.submit(page, { do: 'code', email });
    const left = await person.post(`${page}?step=code`, { do: 'verify', code: await test.codeTo(email) });
    return { account, person, left, leave: `/auth/${account.live.id}/leave` };
  }

  it('reaches a native app by a redirect, which its pages allow, because browsers open apps only after a click', async () => {
    const redirectTo = 'com.example.my+app:/callback';
    const { account, person, left } = await atLeave(redirectTo, 'leave-app@example.com');
    expect([left.status, left.headers.get('Location')]).to.satisfy(
      ([status, location]: [number, string]) => status === 303 && location.startsWith(`${redirectTo}?svc_code=svc_hc_`),
    );
    const { headers } = await person.get(signinOf(account, redirectTo));
    expect(headers.get('Content-Security-Policy')).to.contain("form-action 'self' com.example.my+app:;");
    await account.svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const other = await person.get(signinOf(account, 'https://app.example.com/callback'));
    expect(other.headers.get('Content-Security-Policy')).to.contain("form-action 'self';");
  });

  it('can be reloaded as long as the code works, in this browser alone', async () => {
    const { account, person, left, leave } = await atLeave(
      'https://app.example.com/callback',
      'leave-again@example.com',
    );
    expect(left.headers.get('Location'), 'says nothing of the code').to.equal(leave);
    expect(leadsTo(await person.get(leave))).to.equal(left.location);
    expect((await person.get(leave)).headers.get('Referrer-Policy')).to.equal('no-referrer');
    expect((await visitor(platform).get(leave)).location).to.equal(`/auth/${account.live.id}/account`);
    platform.clock.advance(minutes(2));
    expect((await person.get(leave)).location).to.equal(`/auth/${account.live.id}/account`);
  });

  it('is the page after the form in a browser without cookies', async () => {
    const account = await platform.account();
    const redirectTo = 'https://app.example.com/callback';
    await account.svc.call('auth.settings.set', { redirectUrls: [redirectTo] });
    const email = 'leave-bare@example.com';
    await test.app(account).call('auth.signin.start', { email, method: 'link', redirectTo });
    const link = `/auth/${account.live.id}/link?token=${await test.linkTo(email)}`;
    const left = await visitor(platform).post(link, { do: 'complete' });
    expect(left.status).to.equal(200);
    const code = new URL(leadsTo(left) ?? '').searchParams.get('svc_code') ?? '';
    expect((await test.app(account).call('auth.session.exchange', { code })).user.email).to.equal(email);
  });
});
