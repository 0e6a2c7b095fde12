import { expect } from 'chai';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { signedIn } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';
import { accountPage, enrolmentIn, inside } from './inside.js';

describe('The page that sets an authenticator app up', () => {
  const test = useSignInMail();
  const { platform } = test;

  it('shows the same secret however often it is loaded, until the app is confirmed with it', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'same@example.com');
    const page = accountPage(account);
    const first = await browser.submit(page, { do: 'enrol' });
    const { secret, code, factorId } = enrolmentIn(test, first);
    expect(secret).to.match(/^[A-Z2-7]{32}$/);
    const picture = /src="data:image[^"]*"/;
    const reloaded = await browser.get(first.path);
    expect(enrolmentIn(test, reloaded).secret).to.equal(secret);
    expect(picture.exec(reloaded.text)?.[0]).to.equal(picture.exec(first.text)?.[0]);
    expect(enrolmentIn(test, await browser.submit(page, { do: 'enrol' })).secret, 'the button again').to.equal(secret);
    const wrong = await browser.submit(first.path, { do: 'activate', factorId, code: '000000' });
    expect(enrolmentIn(test, wrong).secret).to.equal(secret);
    const done = await browser.submit(first.path, { do: 'activate', factorId, code });
    expect(done.text).to.contain('Save your recovery codes');
    expect((await browser.open(first.path)).path, 'confirmed').to.equal(page);
  });

  it('makes a new secret on request, and the old one counts no longer', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'anew@example.com');
    const page = accountPage(account);
    const old = enrolmentIn(test, await browser.submit(page, { do: 'enrol' }));
    const shown = await browser.submit(`${page}?step=authenticator`, { do: 'enrol-again' });
    expect(shown.text).to.contain('Start over with a new QR code');
    expect(enrolmentIn(test, shown).secret).not.to.equal(old.secret);
    const late = await browser.submit(page, { do: 'activate', factorId: old.factorId, code: old.code });
    expect(late.status).to.equal(404);
  });

  it('says at the next sign-in that the code which set the app up works once', async () => {
    const account = await platform.account();
    const email = 'at-once@example.com';
    const browser = await inside(test, account, email);
    const page = accountPage(account);
    const { factorId, code } = enrolmentIn(test, await browser.submit(page, { do: 'enrol' }));
    await browser.submit(page, { do: 'activate', factorId, code });
    await browser.submit(page, { do: 'signout' });
    await test.mailsTo(email, 2); // the notice of the new app
    const again = await inside(test, account, email, 3);
    const refused = await again.submit(`/auth/${account.live.id}/signin?step=factor`, { do: 'second-factor', code });
    expect(refused.status).to.equal(400);
    expect(refused.text).to.contain('Attempts left: 4').and.contain('Each code works only once');
  });

  it('shows it in no other browser and not after half an hour, and begins anew after another device did', async () => {
    const account = await platform.account();
    const email = 'elsewhere@example.com';
    const browser = await inside(test, account, email);
    const page = accountPage(account);
    const { secret } = enrolmentIn(test, await browser.submit(page, { do: 'enrol' }));
    const other = await inside(test, account, email, 2);
    expect((await other.open(`${page}?step=authenticator`)).text).not.to.contain('class="secret"');
    const { accessToken } = await signedIn(platform, account.live, { email });
    await test.app(account).call('auth.factor.totp.enroll', { accessToken });
    expect((await browser.open(`${page}?step=authenticator`)).text).to.contain('This has expired.');
    const second = enrolmentIn(test, await browser.submit(page, { do: 'enrol' }));
    expect(second.secret)
      .to.match(/^[A-Z2-7]{32}$/)
      .and.not.equal(secret);
    platform.clock.advance(minutes(31));
    browser.forget(/access/);
    expect((await browser.open(`${page}?step=authenticator`)).text).to.contain('This has expired.');
  });
});
