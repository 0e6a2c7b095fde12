import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import { sendJson } from '#test/support/http-fake.js';
import type { TestAccount } from '#test/support/platform.js';
import { startOidcProvider } from '#test/support/oidc-provider.js';
import { accountWith, appOf, browserOf, eventTypes, refusalOf, useOidc } from './support.js';

/** What an OpenID Connect client must not believe, whoever sends it. */
describe('What a provider answers', () => {
  const env = useOidc();
  const made: { account?: TestAccount } = {};

  const accountOf = (): TestAccount => {
    if (!made.account) throw new Error('The account is made in a hook.');
    return made.account;
  };

  beforeEach(async () => {
    const { platform, oidc } = env;
    // Nothing that an earlier test had read is used again.
    platform.clock.advance(minutes(11));
    oidc.person = { sub: 'ada', claims: { email: 'ada@example.com', email_verified: true } };
    made.account = await accountWith(platform, oidc);
  });
  afterEach(() => {
    const { oidc } = env;
    oidc.changeIdToken = undefined;
    oidc.answers.clear();
  });

  /** @returns the message of a sign-in that must fail, after which there is no user and no session */
  async function failure(change: object = {}): Promise<string> {
    const { platform } = env;
    const { svcTest, keys, test } = accountOf();
    const arrival = await browserOf(platform, accountOf()).arrive();
    const refused = await svcTest.refusal(
      'auth.oauth.complete',
      { ...arrival, ...change },
      { key: keys.test.publishable },
    );
    expect(refused).to.include({ code: 'provider_failed', status: 502 });
    expect(refused.fix).to.contain('auth.oauth.start');
    const types = await eventTypes(platform, test);
    expect(types.filter((type) => type !== 'auth.oauth.started')).to.deep.equal(['auth.signin.failed']);
    return refused.message;
  }

  const nowSeconds = (): number => Math.floor(Date.now() / 1000);

  it('counts from the issuer alone', async () => {
    env.oidc.changeIdToken = (claims) => ({ ...claims, iss: 'https://accounts.example.com' });
    expect(await failure()).to.contain('its ID token has an unexpected iss');
  });

  it('counts for this sign-in’s nonce alone', async () => {
    env.oidc.changeIdToken = (claims) => ({ ...claims, nonce: 'of another sign-in' });
    expect(await failure()).to.contain('its ID token has an unexpected nonce');
  });

  it('counts with a nonce alone', async () => {
    env.oidc.changeIdToken = ({ nonce: _, ...claims }) => claims;
    await failure();
  });

  it('counts for this client alone', async () => {
    env.oidc.changeIdToken = (claims) => ({ ...claims, aud: 'another-client' });
    expect(await failure()).to.contain('its ID token has an unexpected aud');
  });

  it('counts until it expires, give or take half a minute', async () => {
    env.oidc.changeIdToken = (claims) => ({ ...claims, iat: nowSeconds() - 600, exp: nowSeconds() - 60 });
    expect(await failure()).to.contain('expired');
  });

  it('counts with a signature of a published key alone', async () => {
    await env.oidc.rotateKey(false);
    try {
      expect(await failure()).to.contain('signature');
    } finally {
      await env.oidc.rotateKey();
    }
  });

  it('counts with a signature: alg none is none', async () => {
    const { oidc } = env;
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    oidc.answers.set('/token', (response) => {
      const claims = { iss: oidc.issuer, aud: oidc.clientId, sub: 'ada', iat: nowSeconds(), exp: nowSeconds() + 60 };
      const idToken = `${encode({ alg: 'none' })}.${encode(claims)}.`;
      sendJson(response, { access_token: 'x', token_type: 'Bearer', id_token: idToken });
    });
    await failure();
  });

  it('must be the code that this sign-in’s verifier belongs to, once', async () => {
    const other = await browserOf(env.platform, accountOf()).arrive();
    expect(await failure({ code: other.code }), 'a code of another sign-in').to.contain('invalid_grant');
  });

  it('must name its issuer beside the code if it announces that it does (RFC 9207)', async () => {
    const missing = await failure({ issuer: undefined });
    expect(missing).to.contain('"iss"');
  });

  it('is refused where the issuer beside the code is another one (mix-up)', async () => {
    expect(await failure({ issuer: 'https://attacker.example.com' })).to.contain('"iss"');
  });

  it('may be an error, whose text reaches the developer in one line', async () => {
    env.oidc.answers.set('/token', (response) =>
      sendJson(response, { error: 'invalid_client', error_description: `line one\nline two ${'x'.repeat(400)}` }, 400),
    );
    const message = await failure();
    expect(message).to.contain('“invalid_client”: line one line two');
    expect(message.length).to.be.lessThan(300);
  });

  it('is read up to 128 KiB', async () => {
    env.oidc.answers.set('/token', (response) => sendJson(response, { access_token: 'x'.repeat(200_000) }));
    expect(await failure()).to.contain('larger than 128 KiB');
  });

  it('is waited for eight seconds', async function () {
    this.timeout(40_000);
    env.oidc.answers.set('/token', () => undefined);
    expect(await failure()).to.contain('no complete answer in time');
  });

  it('is not followed elsewhere', async () => {
    env.oidc.answers.set('/token', (response) => response.writeHead(307, { location: '/elsewhere' }).end());
    expect(await failure()).to.contain('unexpected HTTP status');
    expect(env.oidc.asked.get('/elsewhere')).to.equal(undefined);
  });

  it('about the user must be about the user of the ID token', async () => {
    env.oidc.addressInIdToken = false;
    env.oidc.answers.set('/me', (response) =>
      sendJson(response, { sub: 'mallory', email: 'ada@example.com', email_verified: true }),
    );
    try {
      expect(await failure()).to.contain('its userinfo endpoint returned a different account (sub)');
    } finally {
      env.oidc.addressInIdToken = true;
    }
  });

  it('about the user may be said by the userinfo endpoint alone, claim by claim', async () => {
    const { platform, oidc } = env;
    const casesOf = (email: string): readonly (readonly [object, object, boolean])[] => [
      [{ email }, { email, email_verified: true }, true],
      [{ email: null }, { email, email_verified: true }, true],
      [{ email: '' }, { email, email_verified: 'true' }, true],
      [{ email_verified: true }, { email }, true],
      [{ email_verified: true }, { email, email_verified: false }, false],
      [{ email, email_verified: false }, { email, email_verified: true }, false],
      [{ email }, { email: 'other@example.com', email_verified: true }, false],
      [{ email, email_verified: true, name: '' }, {}, true],
    ];
    for (let index = 0; index < casesOf('').length; index += 1) {
      const sub = `person${index}`;
      const [inToken, atUserinfo, isVerified] = casesOf(`${sub}@example.com`)[index] ?? [{}, {}, false];
      oidc.person = { sub, claims: {} };
      oidc.changeIdToken = (claims) => ({ ...claims, ...inToken });
      oidc.answers.set('/me', (response) => sendJson(response, { name: 'Ada Lovelace', ...atUserinfo, sub }));
      const browser = browserOf(platform, accountOf());
      if (isVerified)
        expect((await browser.signIn()).user, sub).to.include({ name: 'Ada Lovelace', emailVerified: true });
      else expect(await refusalOf(accountOf(), await browser.arrive()), sub).to.equal('identity_unverified');
    }
  });

  it('need not be said by the userinfo endpoint where only a name is missing', async () => {
    env.oidc.answers.set('/me', (response) => sendJson(response, {}, 500));
    const { status } = await browserOf(env.platform, accountOf()).signIn();
    expect(status).to.equal('complete');
  });

  it('counts with a key that changed under its kid, or that has none, once its set is read again', async () => {
    const { platform, oidc } = env;
    const asked = (): number => oidc.asked.get('/jwks') ?? 0;
    const browser = browserOf(platform, accountOf());
    for (const kid of ['the same', null]) {
      platform.clock.advance(minutes(11));
      await oidc.rotateKey(true, kid);
      await browser.signIn();
      const before = asked();
      await oidc.rotateKey(true, kid);
      const both = await Promise.all([browser.signIn(), browserOf(platform, accountOf()).signIn()]);
      expect(both.map(({ status }) => status)).to.deep.equal(['complete', 'complete']);
      expect(asked()).to.equal(before + 1);
    }
    await oidc.rotateKey();
  });

  it('is read once in ten minutes where it is a document, and a rotated key at once, but once a minute', async () => {
    const { platform, oidc } = env;
    const browser = browserOf(platform, accountOf());
    const asked = (): (number | undefined)[] =>
      ['/.well-known/openid-configuration', '/jwks'].map((path) => oidc.asked.get(path));
    await browser.signIn();
    const [documents = 0, keys = 0] = asked();
    await browser.signIn();
    expect(asked(), 'from memory').to.deep.equal([documents, keys]);

    await oidc.rotateKey();
    await browser.signIn();
    expect(asked(), 'for the new key').to.deep.equal([documents, keys + 1]);
    await oidc.rotateKey();
    const { svcTest, keys: apiKeys } = accountOf();
    const refused = await svcTest.refusal('auth.oauth.complete', await browser.arrive(), {
      key: apiKeys.test.publishable,
    });
    expect(refused.code).to.equal('provider_failed');
    expect(asked(), 'not again within a minute').to.deep.equal([documents, keys + 1]);
    platform.clock.advance(minutes(1));
    await browser.signIn();
    expect(asked()).to.deep.equal([documents, keys + 2]);
    platform.clock.advance(minutes(10));
    await browser.signIn();
    expect(asked()).to.deep.equal([documents + 1, keys + 3]);
  });

  it('reaches clients without a secret, and those whose provider takes it in the header alone', async () => {
    const { platform, oidc } = env;
    const { svcTest } = accountOf();
    const { issuer, publicClientId } = oidc;
    await svcTest.call('auth.oauth.app.set', { provider: 'public', issuer, clientId: publicClientId });
    expect((await browserOf(platform, accountOf(), 'public').signIn()).status).to.equal('complete');
    platform.clock.advance(minutes(11));
    oidc.changeDiscovery = (document) => ({
      ...document,
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    });
    const headers: (string | undefined)[] = [];
    try {
      oidc.answers.set('/token', (response) => {
        headers.push(response.req.headers.authorization);
        sendJson(response, { error: 'invalid_grant' }, 400);
      });
      const arrival = await browserOf(platform, accountOf()).arrive();
      await svcTest.refusal('auth.oauth.complete', arrival, { key: accountOf().keys.test.publishable });
    } finally {
      oidc.changeDiscovery = undefined;
    }
    const [scheme, credentials = ''] = headers[0]?.split(' ') ?? [];
    expect(scheme).to.equal('Basic');
    expect(Buffer.from(credentials, 'base64').toString()).to.equal('svc-test_client.id:the-client*secret%7Eof%2Bsvc');
  });

  it('is another account where another issuer stands behind the same provider name', async () => {
    const { platform, oidc } = env;
    const first = await browserOf(platform, accountOf()).signIn();
    const other = await startOidcProvider();
    try {
      const { svcTest } = accountOf();
      await svcTest.call('auth.oauth.app.set', { ...appOf(oidc), issuer: other.issuer });
      other.person = { sub: 'ada', claims: { email: 'mallory@example.com', email_verified: true } };
      const second = await browserOf(platform, accountOf()).signIn();
      expect(second.user?.id).not.to.equal(first.user?.id);
      expect(second.user?.email).to.equal('mallory@example.com');
    } finally {
      await other.close();
    }
  });
});
