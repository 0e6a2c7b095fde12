import { expect } from 'chai';
import { decodeJwt } from 'jose';
import type { CDPSession, Page } from 'playwright-core';
import type { AuthenticationResponseValue, RegistrationResponseValue } from '#plugins/auth/passkeys/webauthn-json.js';
import { publishableApi, userWithTotp } from '#test/auth/factor/support.js';
import { signedIn } from '#test/auth/support.js';
import { useBrowser } from '#test/support/browser.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';

/** Chromium’s own authenticator, with a finger that is always recognised. */
async function addAuthenticator(page: Page): Promise<Devtools> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { devtools, authenticatorId };
}

interface Devtools {
  readonly devtools: CDPSession;
  readonly authenticatorId: string;
}

/** Moves the passkeys to a key that has neither PIN nor fingerprint: Chromium itself makes none there. */
async function moveToPlainKey({ devtools, authenticatorId }: Devtools): Promise<void> {
  const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
  await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  const plain = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: true,
      hasUserVerification: false,
      automaticPresenceSimulation: true,
    },
  });
  for (const credential of credentials)
    await devtools.send('WebAuthn.addCredential', { authenticatorId: plain.authenticatorId, credential });
}

/** Runs a ceremony in the page, as an app’s script does. @returns `toJSON()` of the credential */
function inPage(page: Page, call: 'create', options: object): Promise<RegistrationResponseValue>;
function inPage(page: Page, call: 'get', options: object): Promise<AuthenticationResponseValue>;
function inPage(page: Page, call: 'create' | 'get', options: object): Promise<unknown> {
  return page.evaluate(
    async ({ name, given }) => {
      const parser = name === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON';
      const publicKey: unknown = Reflect.apply(Reflect.get(PublicKeyCredential, parser), PublicKeyCredential, [given]);
      const { credentials } = navigator;
      const credential: unknown = await Reflect.apply(Reflect.get(credentials, name), credentials, [{ publicKey }]);
      const plain: unknown = JSON.parse(JSON.stringify(credential));
      return plain;
    },
    { name: call, given: options },
  );
}

describe('A passkey in Chromium', function () {
  this.timeout(60_000);
  const platform = usePlatform();
  const browser = useBrowser();

  /** A page of the environment on localhost: browsers bind passkeys to a domain, which 127.0.0.1 is not. */
  async function openPage({ svc }: TestAccount): Promise<{ page: Page; authenticator: Devtools }> {
    const page = await browser.open();
    const address = `${platform.running.address.replace('127.0.0.1', 'localhost')}/`;
    await svc.call('auth.settings.set', { redirectUrls: [address] });
    await page.goto(address);
    return { page, authenticator: await addAuthenticator(page) };
  }

  it('is added and then signs in, with no address typed; both factors count', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken, userId } = await signedIn(platform, account.live);
    const { page } = await openPage(account);
    const created = await api.call('auth.passkey.register.start', { accessToken });
    const registration = await inPage(page, 'create', created.options);
    const { passkey } = await api.call('auth.passkey.register.verify', {
      accessToken,
      challengeId: created.challengeId,
      response: registration,
    });
    expect(passkey.transports).to.deep.equal(['internal']);
    for (let n = 0; n < 2; n += 1) {
      const asked = await api.call('auth.passkey.signin.start', {});
      const response = await inPage(page, 'get', asked.options);
      const answer = await api.call('auth.passkey.signin.verify', { challengeId: asked.challengeId, response });
      expect([answer.status, answer.user?.id]).to.deep.equal(['complete', userId]);
      const claims = decodeJwt(answer.tokens?.accessToken ?? '');
      expect(claims).to.deep.include({ amr: ['passkey'], mfa: true });
    }
    // The same authenticator is not added twice.
    const again = await api.call('auth.passkey.register.start', { accessToken });
    const problem = await inPage(page, 'create', again.options).then(() => 'added', String);
    expect(problem).to.match(/InvalidStateError/);
  });

  it('of a device without PIN or fingerprint counts as one factor: the second one is asked for', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user, app } = await userWithTotp(platform, account, 'grace@example.com');
    const { accessToken } = user;
    const { page, authenticator } = await openPage(account);
    const created = await api.call('auth.passkey.register.start', { accessToken });
    const registration = await inPage(page, 'create', created.options);
    const { challengeId: made } = created;
    await api.call('auth.passkey.register.verify', { accessToken, challengeId: made, response: registration });
    await moveToPlainKey(authenticator);
    const { challengeId, options } = await api.call('auth.passkey.signin.start', {});
    // Chromium asks such a key only for passkeys that are named.
    const allowCredentials = [{ type: 'public-key', id: registration.id }];
    const response = await inPage(page, 'get', { ...options, allowCredentials });
    const first = await api.call('auth.passkey.signin.verify', { challengeId, response });
    expect([first.status, first.tokens]).to.deep.equal(['mfa_required', null]);
    const mfaToken = first.mfa?.mfaToken ?? '';
    const second = await api.call('auth.mfa.verify', { mfaToken, code: app.code() });
    expect([second.status, second.user?.id]).to.deep.equal(['complete', user.userId]);
    expect(decodeJwt(second.tokens?.accessToken ?? '')).to.deep.include({ amr: ['passkey', 'totp'], mfa: true });
  });
});
