import { expect } from 'chai';
import { startGitHub, type TestGitHub } from '#test/support/github.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { browserOf, type Browser } from './support.js';

describe('Sign-in with GitHub', () => {
  const platform = usePlatform();
  const parts: { github?: TestGitHub; account?: TestAccount } = {};

  before(async () => {
    parts.github = await startGitHub();
  });
  after(() => parts.github?.close());

  async function prepared(): Promise<{ github: TestGitHub; account: TestAccount; browser: Browser }> {
    const { github } = parts;
    if (!github) throw new Error('GitHub is started in a hook.');
    const account = await platform.account();
    const { url: issuer, clientId, clientSecret } = github;
    await account.svcTest.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    await account.svcTest.call('auth.oauth.app.set', { provider: 'github', issuer, clientId, clientSecret });
    return { github, account, browser: browserOf(platform, account, 'github') };
  }

  const refusal = async (account: TestAccount, browser: Browser): Promise<{ code: string; message: string }> =>
    account.svcTest.refusal('auth.oauth.complete', await browser.arrive(), { key: account.keys.test.publishable });

  it('takes account and verified primary address from its API', async () => {
    const { browser } = await prepared();
    const { user } = await browser.signIn();
    expect(user).to.deep.include({
      email: 'octocat@example.com',
      emailVerified: true,
      name: 'The Octocat',
      pictureUrl: 'https://avatars.example.com/u/583231',
    });
  });

  it('recognises the account by its number, not by its login, which somebody else may take', async () => {
    const { github, browser, account } = await prepared();
    const { user } = await browser.signIn();
    const before = { user: github.user, addresses: github.addresses };
    try {
      github.user = { ...github.user, login: 'renamed' };
      github.addresses = [];
      expect((await browser.signIn()).user?.id).to.equal(user?.id);
      github.user = { ...before.user, id: 99 };
      expect((await refusal(account, browser)).code).to.equal('identity_unverified');
    } finally {
      Object.assign(github, before);
    }
  });

  it('believes in no address that GitHub has not verified, and in none but the primary one', async () => {
    const { github, account, browser } = await prepared();
    const { addresses } = github;
    try {
      github.addresses = addresses.map((each) => (each.primary ? { ...each, verified: false } : each));
      expect((await refusal(account, browser)).code).to.equal('identity_unverified');
    } finally {
      github.addresses = addresses;
    }
  });

  it('says what GitHub says, which answers errors with status 200', async () => {
    const { github, account, browser } = await prepared();
    await account.svcTest.call('auth.oauth.app.set', {
      provider: 'github',
      issuer: github.url,
      clientId: github.clientId,
      clientSecret: 'wrong',
    });
    const { code, message } = await refusal(account, browser);
    expect(code).to.equal('provider_failed');
    expect(message).to.contain('“incorrect_client_credentials”: The client_id is wrong.');
  });
});
