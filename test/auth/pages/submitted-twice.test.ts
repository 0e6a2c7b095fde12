import { expect } from 'chai';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { useBrowser } from '#test/support/browser.js';
import { minutes } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { accountPage, enrolmentIn, inside } from './inside.js';
import { visitor, type Shown, type Visitor } from './visitor.js';
import { clickTwice } from './click-twice.js';

describe('A form of the sign-in pages that is submitted twice, without scripts', function () {
  this.timeout(60_000);
  const test = useSignInMail();
  const { platform } = test;
  const browser = useBrowser();
  const app = 'https://app.example.com/callback';

  /** The same browser with the cookies that it has now. */
  function sameBrowser(person: Visitor): Visitor {
    const copy = visitor(platform);
    for (const [name, value] of person.cookies) copy.keep(name, value);
    return copy;
  }

  /** Submits a form twice at once. The browser drops the first answer, with its cookies, and shows the second. */
  async function twice(person: Visitor, path: string, fields: Record<string, string>): Promise<Shown> {
    const [first, second] = [sameBrowser(person), sameBrowser(person)];
    const [, shown] = await Promise.all([first.post(path, fields), second.submit(path, fields)]);
    return shown;
  }

  async function started(
    account: TestAccount,
    how: 'code' | 'link',
    email: string,
    query = '',
  ): Promise<{ person: Visitor; root: string }> {
    const root = `/auth/${account.live.id}`;
    const person = visitor(platform);
    await person.get(`${root}/signin${query}`);
    await person.submit(`${root}/signin`, { do: how, email });
    return { person, root };
  }

  const signIns = (): Promise<number> => platform.count('auth_session');

  it('with a code signs in once, whichever answer the browser shows', async () => {
    const { person, root } = await started(await platform.account(), 'code', 'twice1@example.com');
    const before = await signIns();
    const fields = { do: 'verify', code: await test.codeTo('twice1@example.com') };
    const path = `${root}/signin?step=code`;
    const late = sameBrowser(person);
    expect((await twice(person, path, fields)).text).to.contain('Signed in as');
    expect((await late.submit(path, fields)).text, 'after the first answer, too').to.contain('Signed in as');
    expect(await signIns()).to.equal(before + 1);
  });

  it('with a link signs in once, in a browser that has no cookies before', async () => {
    const { root } = await started(await platform.account(), 'link', 'twice2@example.com');
    const path = `${root}/link?token=${await test.linkTo('twice2@example.com')}`;
    const other = visitor(platform);
    await other.get(path);
    const before = await signIns();
    expect((await twice(other, path, { do: 'complete' })).text).to.contain('Signed in as');
    expect(await signIns()).to.equal(before + 1);
  });

  it('still uses code and link up: for another browser, and for this one once it has its answer', async () => {
    const { root } = await started(await platform.account(), 'link', 'twice3@example.com');
    const path = `${root}/link?token=${await test.linkTo('twice3@example.com')}`;
    const [person, other] = [visitor(platform), visitor(platform)];
    await person.get(path);
    await other.get(path);
    expect((await person.submit(path, { do: 'complete' })).text).to.contain('Signed in as');
    expect((await other.submit(path, { do: 'complete' })).text).to.contain('This has already been used.');
    expect((await person.submit(path, { do: 'complete' })).text).to.contain('This has already been used.');
    await person.get(path);
    expect((await person.submit(path, { do: 'complete' })).text, 'loaded again').to.contain(
      'This has already been used.',
    );
  });

  it('counts a wrong code each time', async () => {
    const { person, root } = await started(await platform.account(), 'code', 'twice4@example.com');
    const code = (await test.codeTo('twice4@example.com')) === '000000' ? '111111' : '000000';
    const path = `${root}/signin?step=code`;
    const shown = [
      await person.submit(path, { do: 'verify', code }),
      await person.submit(path, { do: 'verify', code }),
    ];
    expect(shown[0]?.text).to.contain('Attempts left: 4');
    expect(shown[1]?.text).to.contain('Attempts left: 3');
  });

  it('passes the second step, with the app and with a recovery code', async () => {
    const account = await platform.account();
    const email = 'twice5@example.com';
    const enrolled = await inside(test, account, email);
    const step = await enrolled.submit(accountPage(account), { do: 'enrol' });
    const { factorId, code } = enrolmentIn(test, step);
    const kept = await enrolled.submit(`${accountPage(account)}?step=authenticator`, {
      do: 'activate',
      factorId,
      code,
    });
    const [recoveryCode = ''] = /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(kept.text) ?? [];
    platform.clock.advance(minutes(1));
    const second = async (mails: number): Promise<{ person: Visitor; root: string }> => {
      const { person, root } = await started(account, 'code', email);
      const sent = await test.codeTo(email, mails);
      const asked = await twice(person, `${root}/signin?step=code`, { do: 'verify', code: sent });
      expect(asked.text).to.contain('One more step');
      await person.submit(`${root}/signin?step=code`, { do: 'verify', code: sent });
      return { person, root };
    };
    const byApp = await second(3);
    const now = enrolmentIn(test, step).code;
    const path = (name: string): string => `${byApp.root}/signin?step=${name}`;
    expect((await twice(byApp.person, path('factor'), { do: 'second-factor', code: now })).text).to.contain(
      'Signed in as',
    );
    const byCode = await second(4);
    const fields = { do: 'recover', code: recoveryCode };
    expect((await twice(byCode.person, path('recovery'), fields)).text).to.contain('Signed in as');
  });

  it('leads back to the app with one svc_code, or to the second factor that must be set up first', async () => {
    const account = await platform.account();
    const query = `?redirectTo=${encodeURIComponent(app)}`;
    await account.svc.call('auth.settings.set', { redirectUrls: [app] });
    const { person, root } = await started(account, 'code', 'twice6@example.com', query);
    const path = `${root}/signin?step=code`;
    const fields = { do: 'verify', code: await test.codeTo('twice6@example.com') };
    const back = await twice(person, path, fields);
    expect(back.location).to.match(/^https:\/\/app\.example\.com\/callback\?svc_code=/);
    const code = new URL(back.location ?? '').searchParams.get('svc_code') ?? '';
    expect((await test.app(account).call('auth.session.exchange', { code })).user.email).to.equal('twice6@example.com');
    await account.svc.call('auth.settings.set', { mfa: { required: true } });
    const bare = await started(account, 'code', 'twice7@example.com', query);
    const sent = await test.codeTo('twice7@example.com');
    const shown = await twice(bare.person, path, { do: 'verify', code: sent });
    expect(shown.text).to.contain('Two-step sign-in is required here');
  });

  it('signs in a browser whose button is clicked twice', async () => {
    const { root } = await started(await platform.account(), 'link', 'twice8@example.com');
    const page = await browser.open({ locale: 'en-GB', javaScriptEnabled: false });
    await page.goto(`${platform.running.address}${root}/link?token=${await test.linkTo('twice8@example.com')}`);
    const posts = await clickTwice(page, 'Sign in');
    await page.getByText('Signed in as').waitFor();
    expect(posts()).to.equal(2);
  });
});
