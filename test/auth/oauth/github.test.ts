import { expect } from 'chai';
import { apiOf, github } from '#plugins/auth/providers/github.js';
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

  it('finds the primary address among hundreds, which GitHub lists in pages', async () => {
    const { github, browser } = await prepared();
    const before = { user: github.user, addresses: github.addresses };
    try {
      const others = Array.from({ length: 250 }, (_, index) => ({
        email: `a${index}@example.com`,
        primary: false,
        verified: true,
      }));
      github.user = { ...before.user, id: 4711 };
      github.addresses = [...others, { email: 'last@example.com', primary: true, verified: true }];
      expect((await browser.signIn()).user).to.include({ email: 'last@example.com', emailVerified: true });
    } finally {
      Object.assign(github, before);
    }
  });

  it('asks the API of each kind of GitHub where it is', () => {
    const apis = {
      'https://github.com/': 'https://api.github.com',
      'https://www.github.com': 'https://api.github.com',
      'https://octo.ghe.com': 'https://api.octo.ghe.com',
      'https://Octo-Corp.GHE.com/': 'https://api.octo-corp.ghe.com',
      'https://api.octo.ghe.com': 'https://api.octo.ghe.com',
      'https://github.example.com/': 'https://github.example.com/api/v3',
      'https://ghe.com.example.com': 'https://ghe.com.example.com/api/v3',
    };
    expect(apiOf(null)).to.equal('https://api.github.com');
    for (const [server, api] of Object.entries(apis)) expect(apiOf(server), server).to.equal(api);
    const { authorize, token } = github.endpoints('https://api.octo.ghe.com');
    expect([authorize, token]).to.deep.equal([
      'https://octo.ghe.com/login/oauth/authorize',
      'https://octo.ghe.com/login/oauth/access_token',
    ]);
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
