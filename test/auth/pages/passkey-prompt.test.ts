import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { languages } from '#core/kernel/language.js';
import { authTexts } from '#plugins/auth/pages/texts/translations.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { useBrowser } from '#test/support/browser.js';
import type { TestAccount } from '#test/support/platform.js';
import { visitor } from './visitor.js';

describe('A sign-in by passkey on the hosted pages', function () {
  this.timeout(60_000);
  const test = useSignInMail();
  const { platform } = test;
  const browser = useBrowser();
  const byPasskeyOnly = ({ svc }: TestAccount): Promise<unknown> =>
    svc.call('auth.settings.set', {
      methods: { code: { enabled: false }, link: { enabled: false }, password: { enabled: false } },
    });
  const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name }).click();

  it('is asked for once: a second press while the browser asks changes nothing', async () => {
    const account = await platform.account();
    // Browsers bind passkeys to a domain, which 127.0.0.1 is not.
    const address = platform.running.address.replace('127.0.0.1', 'localhost');
    await account.svc.call('auth.settings.set', { redirectUrls: [address], passkeys: { rpId: 'localhost' } });
    const page = await browser.open({ locale: 'en-GB' });
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: false },
      },
    });
    const touch = async (enabled: boolean): Promise<void> => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    };
    const root = `${address}/auth/${account.live.id}`;
    await page.goto(`${root}/signin`);
    await page.getByLabel('Email address').fill('ada@example.com');
    await press(page, 'Email me a code');
    await page.getByLabel('Code').fill(await test.codeTo('ada@example.com'));
    await press(page, 'Sign in');
    await press(page, 'Add a passkey');
    await page.getByLabel('Passkey name').fill('Test device');
    await touch(true);
    await press(page, 'Add a passkey');
    await page.getByText('Passkey added.').waitFor();
    await touch(false);
    await press(page, 'Sign out');

    await byPasskeyOnly(account);
    await page.goto(`${root}/signin`);
    await press(page, 'Sign in with a passkey');
    await press(page, 'Use passkey');
    await press(page, 'Use passkey');
    // The browser answers in order: once it has refused this one, it has answered all requests before it.
    const refused = await page.evaluate(() =>
      navigator.credentials.get({ publicKey: { challenge: new Uint8Array(32) } }).then(
        () => 'answered',
        (error: unknown) => String(error),
      ),
    );
    expect(refused).to.contain('pending');
    expect(await page.getByRole('alert').count(), 'nothing has failed').to.equal(0);
    await page.reload();
    await touch(true);
    await press(page, 'Use passkey');
    await page.getByText('Signed in as').waitFor();
  });

  for (const language of languages)
    it(`promises no account and no other way in ${language} if there is no other`, async () => {
      const account = await platform.account();
      await byPasskeyOnly(account);
      const { signin, passkeyStep, ended } = authTexts[language];
      const person = visitor(platform, language);
      const root = `/auth/${account.live.id}/signin`;
      const { text } = await person.get(root);
      expect(text).to.contain(signin.leadClosed).and.not.contain(signin.lead);
      const step = await person.submit(root, { do: 'passkey' });
      const { noScriptOnly, failedOnly } = passkeyStep;
      for (const each of [noScriptOnly, failedOnly, ended.start]) expect(step.text).to.contain(each);
      for (const each of [signin.useOther, passkeyStep.unsupported, passkeyStep.failed, passkeyStep.noScript])
        expect(step.text).not.to.contain(each);
    });
});
