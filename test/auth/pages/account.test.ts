import { expect } from 'chai';
import { TOTP } from 'otpauth';
import { signedIn } from '#test/auth/support.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { minutes } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { accountPage, enrolmentIn, inside } from './inside.js';
import { visitor } from './visitor.js';

describe('The account page', () => {
  const test = useSignInMail();
  const { platform } = test;

  /** The user sets an authenticator app up on another device. @returns its secret */
  async function activateElsewhere(account: TestAccount, email: string): Promise<string> {
    const { accessToken } = await signedIn(platform, account.live, { email });
    const app = test.app(account);
    const { factorId, secret } = await app.call('auth.factor.totp.enroll', { accessToken });
    const code = new TOTP({ secret }).generate({ timestamp: platform.clock.now().getTime() });
    await app.call('auth.factor.totp.activate', { accessToken, factorId, code });
    platform.clock.advance(minutes(1));
    return secret;
  }
  it('sends whoever is not signed in to the sign-in page', async () => {
    const account = await platform.account();
    const seen = await visitor(platform).get(accountPage(account));
    expect(seen.status).to.equal(303);
    expect(seen.location).to.equal(`/auth/${account.live.id}/signin?next=${encodeURIComponent(accountPage(account))}`);
  });

  it('changes the name, adds an address by its code, makes it primary and removes the other', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'ada@example.com');
    const page = accountPage(account);
    const field = /<input[^>]*name="name"[^>]*>/.exec((await browser.get(page)).text)?.[0];
    expect(field, 'phones begin a name with a capital letter').to.contain('autocapitalize="words"');
    const named = await browser.submit(page, { do: 'profile', name: 'Ada <b>Lovelace</b>' });
    expect(named.text).to.contain('Saved.').and.contain('Ada &lt;b>Lovelace').and.not.contain('<b>Lovelace');
    const asked = await browser.submit(page, { do: 'add-address', email: 'ada@work.example.com' });
    const challengeId = /name="challengeId" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
    const sentTo = 'ada@work.example.com';
    const code = await test.codeTo(sentTo);
    const wrong = await browser.submit(page, {
      do: 'verify-address',
      challengeId,
      sentTo,
      code: code === '000000' ? '111111' : '000000',
    });
    expect(wrong.text).to.contain('Attempts left: 4').and.contain(challengeId);
    const added = await browser.submit(page, { do: 'verify-address', challengeId, sentTo, code });
    expect(added.text).to.contain('Added.').and.contain(sentTo);
    const identityId = /name="identityId" value="([^"]+)"/.exec(added.text)?.[1] ?? '';
    const primary = await browser.submit(page, { do: 'make-primary', identityId });
    expect(primary.text)
      .to.contain('Signed in as')
      .and.match(/Signed in as.*ada@work\.example\.com/s);
    const other = /name="identityId" value="([^"]+)"/.exec(primary.text)?.[1] ?? '';
    const removed = await browser.submit(page, { do: 'remove-address', identityId: other });
    expect(removed.text).to.contain('Removed.').and.not.contain('ada@example.com');
  });

  it('counts no try for what cannot be a code of a new address or of an app', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'tries@example.com');
    const page = accountPage(account);
    const asked = await browser.submit(page, { do: 'add-address', email: 'Tries.Typed@example.com' });
    expect(asked.text, 'the address as it was typed').to.contain('<bdi>Tries.Typed@example.com</bdi>');
    const challengeId = /name="challengeId" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
    const enrolled = await browser.submit(page, { do: 'enrol' });
    const { factorId, code } = enrolmentIn(test, enrolled);
    for (const [form, step] of [
      [{ do: 'verify-address', challengeId }, asked],
      [{ do: 'activate', factorId }, enrolled],
    ] as const)
      for (let tries = 0; tries < 12; tries += 1) {
        const refused = await browser.submit(step.path, { ...form, code: `12a4${tries}` });
        expect(refused.path).to.equal(step.path);
        expect(refused.status).to.equal(400);
        expect(refused.text).to.contain('Enter the 6-digit code.').and.contain('aria-invalid="true"');
      }
    const spaced = (digits: string): string => `${digits.slice(0, 3)} ${digits.slice(3)}`;
    const right = await test.codeTo('Tries.Typed@example.com');
    const added = await browser.submit(asked.path, { do: 'verify-address', challengeId, code: spaced(right) });
    expect(added.text).to.contain('Added.');
    const activated = await browser.submit(enrolled.path, { do: 'activate', factorId, code: spaced(code) });
    expect(activated.text).to.contain('Save your recovery codes');
  });

  it('keeps a new address that could not be added, for another try', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'kept@example.com');
    const own = await browser.submit(accountPage(account), { do: 'add-address', email: 'kept@example.com' });
    expect(own.text).to.contain('This is already in your account').and.contain('value="kept@example.com"');
    const odd = await browser.submit(accountPage(account), { do: 'add-address', email: 'no "address"' });
    expect(odd.text).to.contain('Enter a complete email address').and.contain('value="no &quot;address&quot;"');
  });

  it('takes an empty name for none', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'noname@example.com');
    const nameOf = async (): Promise<string | null> =>
      (await account.svc.call('auth.user.get', { email: 'noname@example.com' })).user.name;
    for (const [given, stored] of [
      ['', null],
      [' Ada ', 'Ada'],
      [' ', null],
    ] as const) {
      const saved = await browser.submit(accountPage(account), { do: 'profile', name: given });
      expect(saved.text).to.contain('Saved.');
      expect(await nameOf()).to.equal(stored);
    }
  });

  it('leads a session that did not pass the user’s second factor to sign in with it, and back', async () => {
    const account = await platform.account();
    const email = 'two@example.com';
    const browser = await inside(test, account, email);
    const secret = await activateElsewhere(account, email);
    const refused = await browser.post(accountPage(account), { do: 'regenerate' });
    expect(refused.location).to.contain('/signin?next=').and.contain('again=true');
    await account.svc.call('auth.settings.set', { mfa: { required: true } });
    const asked = await browser.get(accountPage(account));
    expect(asked.location, 'the page itself needs it now').to.equal(refused.location);
    const page = `/auth/${account.live.id}/signin`;
    await browser.get(asked.location ?? '');
    await browser.submit(page, { do: 'code', email });
    const code = await test.codeTo(email, 3);
    expect((await browser.post(`${page}?step=code`, { do: 'verify', code })).location).to.contain('step=factor');
    for (const each of ['123', '12ab', '1234567', '', 'abcdef', '1'])
      expect((await browser.submit(`${page}?step=factor`, { do: 'second-factor', code: each })).text)
        .to.contain('Enter the 6-digit code.')
        .and.contain('aria-invalid="true"');
    const totp = new TOTP({ secret }).generate({ timestamp: platform.clock.now().getTime() });
    const back = await browser.post(`${page}?step=factor`, { do: 'second-factor', code: totp });
    expect(back.location).to.equal(accountPage(account));
    expect((await browser.submit(accountPage(account), { do: 'regenerate' })).text).to.contain(
      'Save your recovery codes',
    );
  });

  it('asks to sign in again for what needs a recent sign-in, and comes back', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'grace@example.com');
    platform.clock.advance(minutes(12));
    const asked = await browser.submit(accountPage(account), { do: 'add-address', email: 'grace@work.example.com' });
    expect(asked.text).to.contain('please sign in again to continue');
    const page = `/auth/${account.live.id}/signin`;
    await browser.submit(page, { do: 'code', email: 'grace@example.com' });
    const back = await browser.post(`${page}?step=code`, {
      do: 'verify',
      code: await test.codeTo('grace@example.com', 2),
    });
    expect(back.location).to.equal(`${accountPage(account)}?open=add-address`);
    expect((await browser.get(back.location ?? '')).text).to.match(/<details open[^>]*>\s*<summary>Add an address/);
    const sent = await browser.submit(accountPage(account), { do: 'add-address', email: 'grace@work.example.com' });
    expect(sent.text).to.contain('Verify ');
  });

  it('asks to sign in again for a first password too, and comes back to its form', async () => {
    const account = await platform.account();
    const email = 'first-password@example.com';
    const browser = await inside(test, account, email);
    platform.clock.advance(minutes(12));
    const password = 'correct horse battery staple';
    const asked = await browser.submit(accountPage(account), { do: 'set-password', password });
    expect(asked.text).to.contain('please sign in again to continue');
    const page = `/auth/${account.live.id}/signin`;
    await browser.submit(page, { do: 'code', email });
    const back = await browser.submit(`${page}?step=code`, { do: 'verify', code: await test.codeTo(email, 2) });
    expect(back.text).to.match(/<details open[^>]*>\s*<summary>Set a password/);
    expect((await browser.submit(back.path, { do: 'set-password', password })).text).to.contain(
      'Your password has been saved.',
    );
  });

  it('leads through the second factor to everything that changes how to sign in', async () => {
    const account = await platform.account();
    const email = 'one-factor@example.com';
    const browser = await inside(test, account, email);
    await activateElsewhere(account, email);
    const forms = [
      { do: 'set-password', password: 'correct horse battery staple' },
      { do: 'remove-password' },
      { do: 'add-address', email: 'more@example.com' },
      { do: 'add-passkey' },
      { do: 'enrol' },
      { do: 'delete', confirm: email },
    ];
    await account.svc.call('auth.settings.set', { selfDelete: { enabled: true } });
    for (const form of forms) {
      const { location } = await browser.post(accountPage(account), form);
      expect(location, form.do).to.contain('/signin?next=').and.contain('again=true');
    }
  });

  it('offers to sign out everywhere else when two-step sign-in is turned on', async () => {
    const account = await platform.account();
    const email = 'elsewhere-out@example.com';
    const browser = await inside(test, account, email);
    const other = await signedIn(platform, account.live, { email });
    const shown = await browser.submit(accountPage(account), { do: 'enrol' });
    expect(shown.text).to.match(/<input[^>]*name="endOthers"[^>]*checked[^>]*>\s*Sign out everywhere else/);
    const { factorId, code } = enrolmentIn(test, shown);
    await browser.submit(shown.path, { do: 'activate', factorId, code, endOthers: 'yes' });
    const { reason } = await account.svc.call('auth.session.verify', { accessToken: other.accessToken });
    expect(reason).to.equal('session_ended');
    expect((await browser.open(accountPage(account))).text).to.contain('An authenticator app is set up.');
  });

  it('lets tabs whose access token has expired refresh at the same time, and stays signed in', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'joan@example.com');
    platform.clock.advance(minutes(16));
    browser.forget(/access/);
    const refresh = [...browser.cookies].find(([name]) => name.includes('refresh')) ?? ['', ''];
    const seen = await Promise.all(
      Array.from({ length: 6 }, () =>
        fetch(new URL(accountPage(account), platform.running.address), {
          redirect: 'manual',
          headers: { Cookie: refresh.join('=') },
        }),
      ),
    );
    expect(seen.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 200]);
    const cookies = seen.map(({ headers }) => headers.getSetCookie().find((line) => line.startsWith(refresh[0])));
    // One token; the key beside it is another one in each answer.
    expect(new Set(cookies.map((each) => each?.split('.')[0])).size).to.equal(1);
    const user = await account.svc.call('auth.user.get', { email: 'joan@example.com' });
    const { sessions } = await account.svc.call('auth.session.list', { userId: user.user.id });
    expect(sessions).to.have.length(1);
  });

  it('signs out here, and forgets the cookies of a session that was ended elsewhere', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'edith@example.com');
    const { user } = await account.svc.call('auth.user.get', { email: 'edith@example.com' });
    await account.svc.call('auth.session.revoke', { userId: user.id });
    const sent = await browser.get(accountPage(account));
    expect(sent.location).to.contain('/signin?next=');
    expect([...browser.cookies.keys()].filter((name) => /access|refresh/.test(name))).to.deep.equal([]);
    const again = await inside(test, account, 'edith@example.com', 2);
    const out = await again.submit(accountPage(account), { do: 'signout' });
    expect(out.text).to.contain('Sign in to');
    const { sessions } = await account.svc.call('auth.session.list', { userId: user.id });
    expect(sessions).to.deep.equal([]);
  });

  it('leaves a session that lacks a required second factor nothing but setting one up', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'mary@example.com');
    await account.svc.call('auth.settings.set', { mfa: { required: true } });
    const seen = await browser.get(accountPage(account));
    expect(seen.status).to.equal(200);
    expect(seen.text).to.contain('Two-step sign-in is required here').and.contain('Set up an authenticator app');
    expect(seen.text).to.not.contain('Delete your account').and.not.contain('Add an address');
    const refused = await browser.submit(accountPage(account), { do: 'profile', name: 'Mary' });
    expect(refused.status).to.equal(403);
    const enrolled = await browser.submit(accountPage(account), { do: 'enrol' });
    expect(enrolled.text).to.contain('Scan this QR code');
    const { factorId, secret } = enrolmentIn(test, enrolled);
    const wrong = await browser.submit(accountPage(account), { do: 'activate', code: '000000', factorId });
    expect(wrong.text).to.contain('Enter the code your app is showing now');
    expect(enrolmentIn(test, wrong).secret).to.equal(secret);
    expect(wrong.text, 'it may be tried again').to.not.contain('Attempts left');
  });

  it('shows the recovery codes until the person goes on, then says that the app is set up, and makes new ones', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'reload@example.com');
    const enrolled = await browser.submit(accountPage(account), { do: 'enrol' });
    const { factorId, code } = enrolmentIn(test, enrolled);
    const form = { do: 'activate', code, factorId };
    expect((await browser.submit(accountPage(account), form)).text).to.contain('Save your recovery codes');
    const codes = /<ul class="codes">.*?<\/ul>/s;
    const shown = codes.exec((await browser.get(`${accountPage(account)}?step=recovery`)).text)?.[0] ?? '';
    expect(shown).to.match(/<li>[0-9A-Z]{5}-[0-9A-Z]{5}<\/li>/);
    expect((await browser.submit(accountPage(account), form)).text, 'submitted twice').to.contain(shown);
    const other = await inside(test, account, 'other-reload@example.com');
    for (const [name, value] of browser.cookies) if (name.includes('codes')) other.keep(name, value);
    expect((await other.open(`${accountPage(account)}?step=recovery`)).text, 'somebody else').not.to.match(codes);
    expect((await browser.submit(accountPage(account), { do: 'codes-kept' })).text).to.contain(
      'Two-step sign-in is on.',
    );
    const again = await browser.submit(accountPage(account), form);
    expect(again.status).to.equal(200);
    expect(again.text).to.contain(
      'Your app is set up. Recovery codes are shown only once. If you didn’t save yours, create new ones here.',
    );
    expect(again.text).to.contain('value="regenerate"').and.not.contain('This has already been used');
    expect((await browser.submit(accountPage(account), { do: 'regenerate' })).text).to.contain(
      'Save your recovery codes',
    );
  });

  it('says that no passkey was added when that fails, and names no other way to sign in', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { passkeys: { rpId: 'localhost' } });
    const browser = await inside(test, account, 'key@example.com');
    const step = await browser.submit(accountPage(account), { do: 'add-passkey' });
    expect(step.text)
      .to.contain('data-failed="The passkey wasn’t added. Try again."')
      .and.contain('data-on-device="This device already has a passkey for this account."')
      .and.not.contain('another way');
    const challengeId = /name="challengeId" value="([^"]+)"/.exec(step.text)?.[1] ?? '';
    const response = { clientDataJSON: 'AAAA', attestationObject: 'AAAA', transports: [] };
    const credential = JSON.stringify({ id: 'AAAA', rawId: 'AAAA', type: 'public-key', response });
    const form = { do: 'register-passkey', challengeId, response: credential };
    const rejected = await browser.submit(accountPage(account), form);
    expect(rejected.text).to.contain('The passkey wasn’t added. Try again.').and.not.contain('another way');
  });

  it('says at the field which password is wrong, and how long a new one must be', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { password: { minLength: 14 } });
    const browser = await inside(test, account, 'pass@example.com');
    expect((await browser.get(accountPage(account))).text).to.contain('At least 14 characters');
    const short = await browser.submit(accountPage(account), { do: 'set-password', password: 'xK9$wQ2!abc' });
    expect(short.text).to.contain('Choose a longer password: at least 14 characters.');
    const password = 'xK9$wQ2!abcdefgh';
    expect((await browser.submit(accountPage(account), { do: 'set-password', password })).text).to.contain(
      'Your password has been saved.',
    );
    const wrong = await browser.submit(accountPage(account), {
      do: 'set-password',
      password,
      currentPassword: 'another',
    });
    expect(wrong.text).to.contain('Your current password is incorrect.').and.not.contain('phone number or password');
    const fieldOf = (name: string): string => new RegExp(`<input\\s+id="${name}"[^>]*>`).exec(wrong.text)?.[0] ?? '';
    expect(fieldOf('currentPassword')).to.contain('autofocus').and.contain('aria-invalid="true"');
    expect(fieldOf('password'))
      .to.contain('id="password"')
      .and.not.match(/autofocus|aria-invalid/);
  });

  it('takes a password of 256 characters that are two units each, and says at the field if one is longer', async () => {
    const account = await platform.account();
    const email = 'long@example.com';
    const browser = await inside(test, account, email);
    const page = accountPage(account);
    /** What a browser leaves of a text that is typed into a field: `maxlength` counts UTF-16 units. */
    const typed = async (path: string, name: string, text: string): Promise<string> => {
      const field = new RegExp(`<input\\s+id="${name}"[^>]*>`).exec((await browser.get(path)).text)?.[0] ?? '';
      expect(field, path).to.contain('type="password"');
      return text.slice(0, Number(/maxlength="(\d+)"/.exec(field)?.[1] ?? text.length));
    };
    const [password, longer] = ['🔑'.repeat(256), '🔑'.repeat(257)];
    const tooLong = await browser.submit(page, { do: 'set-password', password: await typed(page, 'password', longer) });
    expect(tooLong.text)
      .to.contain('Choose a shorter password: at most 256 characters.')
      .and.match(/<input\s+id="password"[^>]*aria-invalid="true"/);
    const saved = await browser.submit(page, { do: 'set-password', password: await typed(page, 'password', password) });
    expect(saved.text).to.contain('Your password has been saved.');
    const currentPassword = await typed(page, 'currentPassword', password);
    const again = await browser.submit(page, { do: 'set-password', currentPassword, password });
    expect(again.text).to.contain('Your password has been saved.');
    const signIn = `/auth/${account.live.id}/signin?step=password`;
    browser.forget(/./);
    const asked = { email, password: await typed(signIn, 'password', password) };
    const entered = await browser.submit(signIn, { do: 'password-signin', ...asked });
    expect(entered.text).to.contain('Signed in as');
  });

  it('shows deletion only where the environment allows it', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'hedy@example.com');
    expect((await browser.get(accountPage(account))).text).to.not.contain('Delete your account');
    await account.svc.call('auth.settings.set', { selfDelete: { enabled: true } });
    const wrong = await browser.submit(accountPage(account), { do: 'delete', confirm: 'somebody@example.com' });
    expect(wrong.text).to.contain('That doesn’t match');
    const gone = await browser.submit(accountPage(account), { do: 'delete', confirm: 'hedy@example.com' });
    expect(gone.text).to.contain('Your account has been deleted');
  });
});
