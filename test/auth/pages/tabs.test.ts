import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { useBrowser } from '#test/support/browser.js';
import type { TestAccount } from '#test/support/platform.js';
import { visitor, type Visitor } from './visitor.js';

describe('Sign-ins in several tabs of a browser', function () {
  this.timeout(60_000);
  const test = useSignInMail();
  const { platform } = test;
  const browser = useBrowser();
  const apps = ['https://a.example.com', 'https://b.example.com', 'https://c.example.com', 'https://d.example.com'];
  const [appA = '', appB = '', appC = '', appD = ''] = apps;

  async function given(): Promise<{ account: TestAccount; page: string }> {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { redirectUrls: apps });
    return { account, page: `/auth/${account.live.id}/signin` };
  }

  const signinFor = (page: string, app: string): string =>
    `${page}?${new URLSearchParams({ redirectTo: app }).toString()}`;

  async function openTab(first: Page | null, address: string): Promise<Page> {
    const tab = first ? await first.context().newPage() : await browser.open({ locale: 'en-GB' });
    for (const app of apps) await tab.route(`${app}/**`, (route) => route.fulfill({ body: `This is ${app}` }));
    await tab.goto(`${platform.running.address}${address}`);
    return tab;
  }

  async function ask(tab: Page, email: string): Promise<void> {
    await tab.getByLabel('Email address').fill(email);
    await tab.getByRole('button', { name: 'Email me a code' }).click();
    await tab.getByLabel('Code').waitFor();
  }

  async function enter(tab: Page, email: string): Promise<void> {
    await tab.getByLabel('Code').fill(await test.codeTo(email));
    await tab.getByRole('button', { name: 'Sign in' }).click();
  }

  it('each end at their own app, or at the account, in whatever order the tabs are used', async () => {
    const { page } = await given();
    const own = await openTab(null, page);
    await ask(own, 'tabs-own@example.com');
    const tabA = await openTab(own, signinFor(page, appA));
    const tabB = await openTab(own, signinFor(page, appB));
    await ask(tabA, 'tabs-a@example.com');
    await ask(tabB, 'tabs-b@example.com');
    await enter(tabA, 'tabs-a@example.com');
    await tabA.getByText(`This is ${appA}`).waitFor();
    await enter(own, 'tabs-own@example.com');
    await own.getByText('Signed in as').waitFor();
    await enter(tabB, 'tabs-b@example.com');
    await tabB.getByText(`This is ${appB}`).waitFor();
  });

  it('take the code of a tab after another tab has opened the same page, and that tab’s code too', async () => {
    const { page } = await given();
    const first = await openTab(null, signinFor(page, appA));
    await ask(first, 'tabs-first@example.com');
    const second = await openTab(first, signinFor(page, appA));
    await second.reload();
    await ask(second, 'tabs-second@example.com');
    await enter(first, 'tabs-first@example.com');
    await first.getByText(`This is ${appA}`).waitFor();
    await enter(second, 'tabs-second@example.com');
    await second.getByText(`This is ${appA}`).waitFor();
  });

  const kept = ({ cookies }: Visitor): number => [...cookies.keys()].filter((name) => name.includes('signin')).length;

  it('are three at most: the oldest is told to start again, and never ends at another app', async () => {
    const { page } = await given();
    const person = visitor(platform);
    for (let each = 0; each < 5; each += 1) await person.get(signinFor(page, appA));
    expect(kept(person), 'a reload starts no other one').to.equal(1);
    const sent = await person.submit(signinFor(page, appA), { do: 'code', email: 'tabs-oldest@example.com' });
    for (const app of [appB, appC]) await person.get(signinFor(page, app));
    expect((await person.open(sent.path)).text).to.contain('one-time-code');
    await person.get(signinFor(page, appD));
    expect(kept(person)).to.equal(3);
    const code = await test.codeTo('tabs-oldest@example.com');
    const ended = await person.submit(sent.path, { do: 'verify', code });
    expect([ended.status, ended.location]).to.deep.equal([400, null]);
    expect(ended.text).to.contain('This sign-in is no longer active');
  });

  it('do not open with the id of another browser’s sign-in, or with one that was made up', async () => {
    const { page } = await given();
    const [person, other] = [visitor(platform), visitor(platform)];
    await person.get(signinFor(page, appA));
    const sent = await person.submit(signinFor(page, appA), { do: 'code', email: 'tabs-mine@example.com' });
    await other.get(signinFor(page, appB));
    for (const path of [sent.path, `${page}?step=code&flow=${'x'.repeat(3_000)}`, `${page}?step=start&flow=`])
      expect((await other.open(path)).text).to.contain('This sign-in is no longer active');
  });
});
