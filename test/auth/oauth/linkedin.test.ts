import { expect } from 'chai';
import { startLinkedIn, type TestLinkedIn } from '#test/support/linkedin.js';
import type { TestAccount } from '#test/support/platform.js';
import { usePlatform } from '#test/support/platform.js';
import { browserOf, refusalOf, useOidc } from './support.js';

const ada = (sub: string): Record<string, unknown> => ({
  sub,
  email: `${sub.toLowerCase()}@example.com`,
  email_verified: 'true',
  name: 'Ada Lovelace',
  given_name: 'Ada',
  family_name: 'Lovelace',
  picture: 'https://media.example.com/ada.jpg',
  locale: { country: 'US', language: 'en' },
});

describe('Sign-in with LinkedIn', () => {
  const platform = usePlatform();
  const parts: { linkedin?: TestLinkedIn } = {};

  before(async () => {
    parts.linkedin = await startLinkedIn();
  });
  after(() => parts.linkedin?.close());

  async function prepared(): Promise<{ linkedin: TestLinkedIn; account: TestAccount }> {
    const { linkedin } = parts;
    if (!linkedin) throw new Error('LinkedIn is started in a hook.');
    linkedin.only = () => ({});
    const account = await platform.account();
    await account.svcTest.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const { url: issuer, clientId, clientSecret } = linkedin;
    await account.svcTest.call('auth.oauth.app.set', { provider: 'linkedin', issuer, clientId, clientSecret });
    return { linkedin, account };
  }

  it('signs in without PKCE and nonce, with the secret in the form, and reads the texts and objects of its claims', async () => {
    const { linkedin, account } = await prepared();
    linkedin.person = ada('782bbtaQ');
    const browser = browserOf(platform, account, 'linkedin');
    const { user } = await browser.signIn();
    expect(user).to.deep.include({
      name: 'Ada Lovelace',
      email: '782bbtaq@example.com',
      emailVerified: true,
      pictureUrl: 'https://media.example.com/ada.jpg',
      locale: 'en-US',
    });
    expect(linkedin.asked.has('code_challenge'), 'no challenge whose verifier is never sent').to.equal(false);
    linkedin.person = { ...ada('782bbtaQ'), email: 'moved@example.com' };
    expect((await browser.signIn()).user?.id, 'known by the account, not by the address').to.equal(user?.id);
  });

  it('has a button of its name', async () => {
    const { account } = await prepared();
    const { methods } = await account.svcTest.call('auth.signin.methods', {}, { key: account.keys.test.publishable });
    expect(methods.oauth).to.deep.include({ provider: 'linkedin', name: 'LinkedIn' });
  });

  it('accepts its own nonce and an empty one, and refuses another one', async () => {
    const { linkedin, account } = await prepared();
    linkedin.person = ada('nonceA');
    const browser = browserOf(platform, account, 'linkedin');
    linkedin.only = (asked) => ({ nonce: asked.get('nonce') });
    expect((await browser.signIn()).status).to.equal('complete');
    linkedin.only = () => ({ nonce: '' });
    expect((await browser.signIn()).status).to.equal('complete');
    linkedin.only = () => ({ nonce: 'of another sign-in' });
    const { text } = await account.svcTest.raw('/auth/oauth/complete', JSON.stringify(await browser.arrive()), {
      key: account.keys.test.publishable,
    });
    expect(text).to.contain('provider_failed').and.contain('its ID token has an unexpected nonce');
  });

  it('refuses an address that LinkedIn has not verified, and an answer of another issuer', async () => {
    const { linkedin, account } = await prepared();
    const browser = browserOf(platform, account, 'linkedin');
    for (const email_verified of ['false', false, undefined]) {
      linkedin.person = { ...ada('unverified'), email_verified };
      expect(await refusalOf(account, await browser.arrive())).to.equal('identity_unverified');
    }
    linkedin.person = ada('otherissuer');
    const arrival = { ...(await browser.arrive()), issuer: 'https://other.example.com' };
    expect(await refusalOf(account, arrival)).to.equal('provider_failed');
  });
});

describe('A provider that follows the standards', () => {
  const env = useOidc();

  it('may not omit the nonce, whatever its name', async () => {
    const { platform, oidc } = env;
    const account = await platform.account();
    await account.svcTest.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const { issuer, clientId, clientSecret } = oidc;
    for (const provider of ['google', 'gitlab', 'corp'])
      await account.svcTest.call('auth.oauth.app.set', { provider, issuer, clientId, clientSecret });
    oidc.changeIdToken = ({ nonce: _, ...claims }) => claims;
    try {
      for (const provider of ['google', 'gitlab', 'corp'])
        expect(await refusalOf(account, await browserOf(platform, account, provider).arrive()), provider).to.equal(
          'provider_failed',
        );
    } finally {
      oidc.changeIdToken = undefined;
    }
  });
});
