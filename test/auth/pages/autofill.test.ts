import { expect } from 'chai';
import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { useBrowser } from '#test/support/browser.js';
import type { TestAccount } from '#test/support/platform.js';

describe('Passkeys in the autofill of the sign-in page', function () {
  this.timeout(120_000);
  const test = useSignInMail();
  const { platform } = test;
  const browser = useBrowser();
  /** Passkeys need a name, not an IP address. */
  const address = (): string => platform.running.address.replace('127.0.0.1', 'localhost');
  const signinOf = ({ live }: TestAccount): string => `${address()}/auth/${live.id}/signin`;

  interface Opened {
    page: Page;
    /** Whether the person touches the authenticator when they are asked to. */
    touch(isThere: boolean): Promise<void>;
  }

  async function open(options: BrowserContextOptions = {}): Promise<Opened> {
    const page = await browser.open({ locale: 'en-GB', ...options });
    const session: CDPSession = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: false,
      },
    });
    const touch = async (enabled: boolean): Promise<void> => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    };
    return { page, touch };
  }

  async function account(): Promise<TestAccount> {
    const made = await platform.account();
    const facts = { redirectUrls: [address()], passkeys: { rpId: 'localhost' } };
    await made.svc.call('auth.settings.set', facts);
    return made;
  }

  const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name }).click();
  const offered = (page: Page): Promise<unknown> =>
    page.locator('#passkey-autofill[data-offered]').waitFor({ state: 'attached' });
  const started = ({ live }: TestAccount): Promise<number> =>
    platform.count(
      'auth_challenge',
      `purpose = 'passkey_signin' AND environment_id = UNHEX('${live.id.replaceAll('-', '')}')`,
    );

  async function signUp(page: Page, of: TestAccount, email: string): Promise<void> {
    await page.goto(signinOf(of));
    await page.getByLabel('Email address').fill(email);
    await press(page, 'Email me a code');
    await page.getByLabel('Code').fill(await test.codeTo(email));
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor();
  }

  it('sign in whoever picks one there, without another click, and hand them over to the app', async () => {
    const made = await account();
    const { page, touch } = await open();
    await signUp(page, made, 'ada@example.com');
    await press(page, 'Add a passkey');
    await page.getByLabel('Passkey name').fill('Test device');
    await touch(true);
    await press(page, 'Add a passkey');
    await page.getByText('Passkey added.').waitFor();
    await touch(false);
    await press(page, 'Sign out');
    await offered(page);
    expect(await page.getByLabel('Email address').getAttribute('autocomplete')).to.equal('username webauthn');
    // Chromium's virtual authenticator picks the passkey as soon as it is offered.
    await touch(true);
    await page.goto(signinOf(made));
    await page.getByText('Signed in as').waitFor();
    await touch(false);
    await press(page, 'Sign out');

    await touch(true);
    await page.goto(`${signinOf(made)}?redirectTo=${encodeURIComponent(`${address()}/?from=app`)}`);
    await page.waitForURL(/\/\?from=app&svc_code=/);
    const code = new URL(page.url()).searchParams.get('svc_code') ?? '';
    const { user } = await test.app(made).call('auth.session.exchange', { code });
    expect(user.email).to.equal('ada@example.com');
  });

  it('change nothing where the browser does not offer them, or runs no scripts', async () => {
    const made = await account();
    const without = await browser.open({ locale: 'en-GB' });
    await without.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await signUp(without, made, 'grace@example.com');
    const plain = await browser.open({ locale: 'en-GB', javaScriptEnabled: false });
    await signUp(plain, made, 'joan@example.com');
    expect(await started(made)).to.equal(0);
  });

  it('are not offered where the environment has passkeys turned off', async () => {
    const made = await account();
    await made.svc.call('auth.settings.set', { methods: { passkey: { enabled: false } } });
    const { page } = await open();
    await page.goto(signinOf(made));
    expect(await page.getByLabel('Email address').getAttribute('autocomplete')).to.equal('username');
    const scripts = (await page.locator('script').allTextContents()).join();
    expect(scripts).not.to.match(/credentials|fetch|PublicKeyCredential/);
    expect(await page.locator('#passkey-autofill').count()).to.equal(0);
    expect(await started(made)).to.equal(0);
  });

  it('do not use up what an address may start: reloading the page keeps codes working', async () => {
    const made = await account();
    const { page } = await open();
    for (let n = 0; n < 32; n += 1) {
      await page.goto(signinOf(made));
      await offered(page);
    }
    expect(await started(made)).to.equal(32);
    await page.getByLabel('Email address').fill('edith@example.com');
    await press(page, 'Email me a code');
    expect(await test.codeTo('edith@example.com')).to.match(/^\d{6}$/);
  });
});
