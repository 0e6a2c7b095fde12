import { expect } from 'chai';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import type { TestAccount } from '#test/support/platform.js';
import { inside } from './inside.js';
import type { Visitor } from './visitor.js';

describe('The page that connects a device', () => {
  const test = useSignInMail();
  const { platform } = test;
  let people = 0;

  interface Waiting {
    account: TestAccount;
    browser: Visitor;
    root: string;
    userCode: string;
    userId: string;
    email: string;
    /** What the device's poll answers: a code of the interface. */
    poll(): Promise<string>;
  }

  /** A person who is signed in to the pages, and a device that shows them a code. */
  async function waiting(): Promise<Waiting> {
    const account = await platform.account();
    const root = `/auth/${account.live.id}`;
    const email = `person${(people += 1)}@example.com`;
    const browser = await inside(test, account, email);
    const app = test.app(account);
    const { userCode, deviceCode } = await app.call('auth.device.start', { clientName: 'TV <b>', scope: 'films' });
    const { user } = await account.svc.call('auth.user.get', { email });
    const poll = async (): Promise<string> => {
      const { status, text } = await platform.api.raw('/auth/device/poll', JSON.stringify({ deviceCode }), {
        key: account.keys.live.publishable,
      });
      return status === 200 ? 'tokens' : (/"code":"(\w+)"/.exec(text)?.[1] ?? '');
    };
    return { account, browser, root, userCode, userId: user.id, email, poll };
  }

  it('shows what asks and from where, with the code as the device shows it, and decides by a button alone', async () => {
    const { browser, root, userCode, email, poll } = await waiting();
    const typed = userCode.toLowerCase().replace('-', ' ');
    const shown = await browser.submit(`${root}/device`, { do: 'describe', userCode: typed });
    expect((await browser.get(shown.path)).text, 'again when it is loaded again').to.contain('Approve');
    expect(shown.text).to.contain('TV &lt;b>').and.contain('films').and.contain('127.0.0.1').and.contain(userCode);
    expect(shown.text, 'and as whom').to.match(new RegExp(`Signed in as.*${email}`));
    const other = `${root}/signin?${new URLSearchParams({ next: shown.path }).toString()}`;
    expect(shown.text, 'or as somebody else').to.contain(`<a href="${other}">Use another account</a>`);
    const opened = await browser.get(`${root}/device?user_code=${userCode}`);
    expect(opened.text).to.contain('Approve');
    const approved = await browser.submit(`${root}/device`, { do: 'approve', userCode: typed });
    expect(approved.text).to.contain('Device connected');
    expect(await poll(), 'opening the page approved nothing before').to.equal('tokens');
  });

  it('denies', async () => {
    const { browser, root, userCode, poll } = await waiting();
    expect((await browser.submit(`${root}/device`, { do: 'deny', userCode })).text).to.contain('Request denied');
    expect(await poll()).to.equal('device_denied');
    const again = await browser.submit(`${root}/device`, { do: 'approve', userCode });
    expect(again.status).to.equal(409);
    expect(again.text).to.contain('This has already been used');
  });

  it('asks for the code again where no device shows it', async () => {
    const { browser, root } = await waiting();
    const unknown = await browser.submit(`${root}/device`, { do: 'describe', userCode: 'BBBB-BBBB' });
    expect(unknown.status).to.equal(410);
    expect(unknown.text)
      .to.contain('This code is incorrect or has expired. Check it, or start again on the device.')
      .and.contain('value="BBBB-BBBB"');
  });

  for (const action of ['describe', 'approve', 'deny'])
    it(`leads whoever was signed out elsewhere to the sign-in page: ${action}`, async () => {
      const { account, browser, root, userCode, userId } = await waiting();
      await account.svc.call('auth.session.revoke', { userId });
      const page = `${root}/device?user_code=${userCode}`;
      const away = await browser.submit(page, { do: action, userCode });
      expect(away.path).to.equal(`${root}/signin?next=${encodeURIComponent(page)}`);
      expect([...browser.cookies.keys()].filter((name) => /access|refresh/.test(name))).to.deep.equal([]);
    });

  it('leads whoever lacks a required second factor to where it is set up', async () => {
    const { account, browser, root, userCode, poll } = await waiting();
    await account.svc.call('auth.settings.set', { mfa: { required: true } });
    for (const action of ['describe', 'approve', 'deny']) {
      const away = await browser.submit(`${root}/device`, { do: action, userCode });
      expect(away.path, action).to.equal(`${root}/account`);
    }
    expect(await poll()).to.equal('device_pending');
  });
});
