import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { useBrowser } from '#test/support/browser.js';
import { minutes } from '#test/support/clock.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import type { TestAccount } from '#test/support/platform.js';

/**
 * The pages in a browser, from the first sign-in to the last; with SVC_TEST_SCREENSHOTS set to a folder, pictures of
 * each.
 */
describe('The hosted pages of sign-in in a browser', function () {
  this.timeout(180_000);
  const test = useSignInMail();
  const { platform } = test;
  const browser = useBrowser();

  /** Passkeys need a name, not an IP address. */
  const address = (): string => platform.running.address.replace('127.0.0.1', 'localhost');

  /** An address of the deployment, at the port that the test runs on. */
  const here = (url: string): string => address() + new URL(url).pathname + new URL(url).search;

  /**
   * The finger is there when it is asked for; not while the sign-in page offers passkeys in the autofill of its field.
   */
  const touching = new Map<Page, (isThere: boolean) => Promise<void>>();
  const touch = async (page: Page, isThere: boolean): Promise<void> => touching.get(page)?.(isThere);

  const open = async (): Promise<Page> => {
    const page = await browser.open({ bypassCSP: true, locale: 'en-GB' });
    const session = await page.context().newCDPSession(page);
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
    touching.set(page, async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    });
    return page;
  };

  const press = (page: Page, name: string | RegExp): Promise<void> => page.getByRole('button', { name }).click();

  async function signInByCode(page: Page, account: TestAccount, email: string, mails: number): Promise<void> {
    await page.goto(`${address()}/auth/${account.live.id}/signin`);
    await page.getByLabel('Email address').fill(email);
    await press(page, 'Email me a code');
    await page.getByLabel('Code').fill(await test.codeTo(email, mails));
    await press(page, 'Sign in');
  }

  /** Screen readers list buttons and links by their names alone. */
  async function expectDistinctNames(page: Page): Promise<void> {
    const names = await page.locator('main').locator('a, button').filter({ visible: true }).allTextContents();
    expect(names.map((name) => name.trim())).to.have.length.above(8);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
  }

  const totpOf = (secret: string): TOTP => new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });

  it('sign up by code, add a passkey and an authenticator app, and sign in with each', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', {
      redirectUrls: [address()],
      passkeys: { rpId: 'localhost' },
      selfDelete: { enabled: true },
    });
    const email = 'ada@example.com';
    const page = await open();
    await page.goto(`${address()}/auth/${account.live.id}/signin`);
    await expectGoodLooks(page, '01-sign-in');
    await page.getByLabel('Email address').fill(email);
    await press(page, 'Email me a code');
    await expectGoodLooks(page, '02-code');
    await page.getByLabel('Code').fill('000000');
    await press(page, 'Sign in');
    await expectGoodLooks(page, '03-wrong-code');
    await page.getByLabel('Code').fill(await test.codeTo(email));
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor();
    await expectGoodLooks(page, '04-account');

    await press(page, 'Add a passkey');
    await expectGoodLooks(page, '05-new-passkey');
    expect(await page.getByRole('alert').count(), 'no empty alert is shown').to.equal(0);
    await page.getByLabel('Passkey name').fill('Test device');
    await touch(page, true);
    await press(page, 'Add a passkey');
    await page.getByText('Passkey added.').waitFor();
    await press(page, 'Add a passkey');
    await press(page, 'Add a passkey');
    await page.getByRole('alert').getByText('This device already has a passkey for this account.').waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await touch(page, false);

    await page.getByText('Set a password', { exact: true }).first().click();
    await page.getByLabel('New password').fill('password1');
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page
      .locator('details[open]')
      .getByRole('alert')
      .getByText('This password has appeared in a data breach')
      .waitFor();
    await page.getByLabel('New password').fill('correct horse battery staple 7');
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page.getByText('Your password has been saved.').waitFor();

    await press(page, 'Set up an authenticator app');
    await expectGoodLooks(page, '06-authenticator-app');
    const secret = (await page.locator('.secret').textContent()) ?? '';
    const totp = totpOf(secret);
    await page.getByLabel('Code', { exact: true }).fill(totp.generate({ timestamp: platform.clock.now().getTime() }));
    await press(page, 'Turn on');
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    await expectGoodLooks(page, '07-recovery-codes');
    const [recoveryCode = ''] = await page.locator('.codes li').allTextContents();
    await press(page, 'Continue');
    await expectGoodLooks(page, '08-account-set-up');
    await expectDistinctNames(page);
    await page.getByRole('link', { name: 'Remove Test device' }).click();
    await expectGoodLooks(page, '23-remove-passkey');
    await page.getByRole('link', { name: 'Cancel' }).click();

    await press(page, 'Sign out');
    await press(page, 'Sign in with a passkey');
    await expectGoodLooks(page, '09-passkey');
    await touch(page, true);
    await press(page, 'Use passkey');
    await page.getByText('Signed in as').waitFor();
    await touch(page, false);
    await press(page, 'Sign out');

    platform.clock.advance(minutes(1));
    await page.getByLabel('Email address').fill(email);
    await press(page, 'Use a password');
    await expectGoodLooks(page, '10-password');
    await page.getByLabel('Password').fill('correct horse battery staple 7');
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    await expectGoodLooks(page, '11-second-step');
    await page.getByLabel('Code').fill(totp.generate({ timestamp: platform.clock.now().getTime() }));
    await press(page, 'Sign in');
    await page.getByText('Signed in as').waitFor();
    await press(page, 'Sign out');

    await page.getByLabel('Email address').fill(email);
    await press(page, 'Use a password');
    await page.getByLabel('Password').fill('correct horse battery staple 7');
    await press(page, 'Sign in');
    await page.getByRole('link', { name: 'Use a recovery code' }).click();
    await expectGoodLooks(page, '12-recovery-code');
    await page.getByLabel('Recovery code').fill(recoveryCode);
    await press(page, 'Sign in');
    await page.getByText('Recovery codes left: 9').waitFor();
  });

  it('approve a device, end another session, accept an invitation, and delete the account', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { selfDelete: { enabled: true } });
    const app = test.app(account);
    const email = 'grace@example.com';
    const [page, other] = [await open(), await open()];
    await signInByCode(other, account, email, 1);
    await other.getByText('Signed in as').waitFor();

    const device = await app.call('auth.device.start', { clientName: 'Kitchen radio' });
    await page.goto(here(device.verificationUrl));
    await page.getByLabel('Email address').fill(email);
    await press(page, 'Email me a code');
    await page.getByLabel('Code').fill(await test.codeTo(email, 2));
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Connect a device' }).waitFor();
    await expectGoodLooks(page, '13-device');
    await page.getByLabel('Device code').fill(device.userCode.toLowerCase());
    await press(page, 'Continue');
    await page.getByRole('heading', { name: 'Let Kitchen radio sign in as you?' }).waitFor();
    await expectGoodLooks(page, '14-device-confirm');
    await press(page, 'Approve');
    await page.getByRole('heading', { name: 'Device connected' }).waitFor();
    await expectGoodLooks(page, '15-device-done');
    const { user, tokens } = await app.call('auth.device.poll', { deviceCode: device.deviceCode });
    expect(user.email).to.equal(email);

    const { organization } = await app.call('auth.org.create', { accessToken: tokens.accessToken, name: 'Radio club' });
    const invitee = 'katherine@example.com';
    await app.call('auth.org.invite.create', {
      accessToken: tokens.accessToken,
      organizationId: organization.id,
      email: invitee,
    });
    const [mail] = await test.mailsTo(invitee);
    const link = /https?:\/\/\S+\/invite\?token=\S+/.exec(mail?.parsed.text ?? '')?.[0] ?? '';
    const third = await open();
    await third.goto(here(link));
    await expectGoodLooks(third, '16-invitation');
    await press(third, 'Sign in to accept');
    await third.getByLabel('Email address').fill(invitee);
    await press(third, 'Email me a code');
    await third.getByLabel('Code').fill(await test.codeTo(invitee, 2));
    await press(third, 'Sign in');
    await press(third, 'Join Radio club');
    await third.getByText('You’ve joined the organization.').waitFor();
    expect(await third.locator('.what').getByText('Radio club').count()).to.equal(1);

    await third.goto(here(link));
    await third.getByRole('heading', { name: 'You’ve joined Radio club' }).waitFor();
    await expectGoodLooks(third, '24-invitation-accepted');
    await third.getByRole('link', { name: 'Your account' }).click();

    await page.goto(`${address()}/auth/${account.live.id}/account`);
    await page.getByText('You’re the only owner of').waitFor();
    await expectGoodLooks(page, '25-only-owner');
    await page.getByRole('link', { name: 'Leave Radio club' }).click();
    await expectGoodLooks(page, '26-leave');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Sign out everywhere else' }).click();
    await expectGoodLooks(page, '21-end-others');
    await press(page, 'Sign out everywhere else');
    await page.getByText('Signed out.').waitFor();
    await other.reload();
    await other.getByRole('heading', { name: /Sign in to/ }).waitFor();

    await third.getByRole('link', { name: 'Delete my account' }).click();
    await expectGoodLooks(third, '22-delete');
    const styleOf = (found: Locator, property: 'backgroundColor' | 'borderTopColor'): Promise<string> =>
      found.evaluate((element, name) => getComputedStyle(element)[name], property);
    await third.getByLabel(/to confirm/).fill('somebody@example.com');
    await press(third, 'Delete my account');
    await third.getByRole('alert').getByText('That doesn’t match.').waitFor();
    // What cannot be undone has the colour of problems.
    const erase = third.getByRole('button', { name: 'Delete my account' });
    expect(await styleOf(erase, 'backgroundColor')).to.equal(await styleOf(third.getByRole('alert'), 'borderTopColor'));
    await third.getByLabel(/to confirm/).fill(invitee);
    await third.getByRole('button', { name: 'Delete my account' }).click();
    await third.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
    await expectGoodLooks(third, '17-deleted');
    const gone = await account.svc.refusal('auth.user.get', { email: invitee });
    expect(gone.code).to.equal('not_found');
  });

  it('sign in by a link after a click, in whichever browser opens it', async () => {
    const account = await platform.account();
    const email = 'joan@example.com';
    const page = await open();
    await page.goto(`${address()}/auth/${account.live.id}/signin`);
    await page.getByLabel('Email address').fill(email);
    await press(page, 'Email me a link');
    await expectGoodLooks(page, '18-link-sent');
    const token = await test.linkTo(email);
    const elsewhere = await open();
    await elsewhere.goto(`${address()}/auth/${account.live.id}/link?token=${token}`);
    await expectGoodLooks(elsewhere, '19-link');
    await press(elsewhere, 'Sign in');
    await elsewhere.getByText('Signed in as').waitFor();
    await page.goto(`${address()}/auth/${account.live.id}/link?token=${token}`);
    await press(page, 'Sign in');
    await page.getByText('This has already been used.').waitFor();
    await expectGoodLooks(page, '20-link-used');
  });
});
