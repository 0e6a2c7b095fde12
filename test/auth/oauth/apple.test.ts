import { expect } from 'chai';
import { startApple, type TestApple } from '#test/support/apple.js';
import { minutes } from '#test/support/clock.js';
import type { ReplyOf } from '#test/support/api.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { browserOf, completionOf, locationOf, openPage, type Started } from './support.js';

describe('Sign-in with Apple', () => {
  const platform = usePlatform();
  const parts: { apple?: TestApple } = {};

  before(async () => {
    const apple = await startApple();
    apple.now = platform.clock.now;
    parts.apple = apple;
  });
  after(() => parts.apple?.close());

  async function prepared(): Promise<{ apple: TestApple; account: TestAccount }> {
    const { apple } = parts;
    if (!apple) throw new Error('Apple is started in a hook.');
    const account = await platform.account();
    await account.svcTest.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    await account.svcTest.call('auth.oauth.app.set', {
      provider: 'apple',
      issuer: apple.url,
      clientId: apple.clientId,
      clientSecret: apple.secret,
    });
    return { apple, account };
  }

  const start = (account: TestAccount): Promise<Started> => browserOf(platform, account, 'apple').start();

  /**
   * The browser posts Apple’s form from Apple’s site: without cookies, with Apple’s Origin.
   * @returns where it is sent
   */
  async function post(action: string, fields: URLSearchParams): Promise<URL> {
    const url = new URL(action);
    const answer = await openPage(platform, url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://appleid.apple.com',
        'sec-fetch-site': 'cross-site',
      },
      body: fields.toString(),
    });
    expect(answer.status, answer.text).to.equal(303);
    return new URL(answer.headers.get('location') ?? '', url);
  }

  async function signIn({
    apple,
    account,
  }: {
    apple: TestApple;
    account: TestAccount;
  }): Promise<ReplyOf<'auth.oauth.complete'>> {
    const started = await start(account);
    const { action, fields } = await apple.authorize(started.authorizationUrl);
    const own = await post(action, fields);
    expect(own.pathname, 'its own GET, which gets svc’s cookies').to.equal(new URL(action).pathname);
    expect([...own.searchParams.keys()], 'the name is in no address').to.deep.equal(['state', 'code']);
    const arrival = completionOf(locationOf(await openPage(platform, own)), started);
    return account.svcTest.call('auth.oauth.complete', arrival, { key: account.keys.test.publishable });
  }

  it('takes the posted code, and the name that Apple says once', async () => {
    const { apple, account } = await prepared();
    const first = await signIn({ apple, account });
    expect(first.user).to.deep.include({
      name: 'Ada Lovelace',
      email: 'x7k2@privaterelay.example.com',
      emailVerified: true,
    });
    const { name } = apple;
    apple.name = undefined;
    try {
      const second = await signIn({ apple, account });
      expect(second.user).to.include({ id: first.user?.id, name: 'Ada Lovelace' });
    } finally {
      apple.name = name;
    }
    expect(
      await platform.count('auth_oauth_state', 'provider_user IS NOT NULL'),
      'kept no longer than needed',
    ).to.equal(0);
  });

  it('believes in no address that is posted: only the ID token is signed', async () => {
    const { apple, account } = await prepared();
    const started = await start(account);
    const { action, fields } = await apple.authorize(started.authorizationUrl);
    fields.set(
      'user',
      JSON.stringify({ name: { firstName: 'Eve', lastName: 'x'.repeat(500) }, email: 'ada@example.com' }),
    );
    const arrival = completionOf(locationOf(await openPage(platform, await post(action, fields))), started);
    const { user } = await account.svcTest.call('auth.oauth.complete', arrival, { key: account.keys.test.publishable });
    expect(user?.email).to.equal('x7k2@privaterelay.example.com');
    expect(user?.name?.length).to.equal('Eve '.length + 99);
  });

  it('stores what the first post said, and nothing of a state that is unknown', async () => {
    const { apple, account } = await prepared();
    const started = await start(account);
    const { action, fields } = await apple.authorize(started.authorizationUrl);
    await post(action, fields);
    const later = new URLSearchParams(fields);
    later.set('user', JSON.stringify({ name: { firstName: 'Mallory' } }));
    const arrival = completionOf(locationOf(await openPage(platform, await post(action, later))), started);
    const { user } = await account.svcTest.call('auth.oauth.complete', arrival, { key: account.keys.test.publishable });
    expect(user?.name).to.equal('Ada Lovelace');
    const posted = new URLSearchParams({ state: 'unknown', code: 'c', user: '{}' });
    const unknown = await openPage(platform, await post(action, posted));
    expect(unknown.status).to.equal(400);
  });

  it('presents a JWT signed by the team’s key, the same one until shortly before it ends', async () => {
    const { apple, account } = await prepared();
    apple.presented.length = 0;
    await signIn({ apple, account });
    await signIn({ apple, account });
    expect(new Set(apple.presented)).to.have.length(1);
    platform.clock.advance(minutes(56));
    await signIn({ apple, account });
    expect(new Set(apple.presented)).to.have.length(2);
  });

  it('takes an address as verified only where Apple says so', async () => {
    const { apple, account } = await prepared();
    const { person } = apple;
    apple.person = { ...person, sub: '000999.new', email: 'new@example.com', email_verified: 'false' };
    try {
      const started = await start(account);
      const { action, fields } = await apple.authorize(started.authorizationUrl);
      const arrival = completionOf(locationOf(await openPage(platform, await post(action, fields))), started);
      const refused = await account.svcTest.refusal('auth.oauth.complete', arrival, {
        key: account.keys.test.publishable,
      });
      expect(refused.code).to.equal('identity_unverified');
    } finally {
      apple.person = person;
    }
  });
});
