import { expect } from 'chai';
import { auditOf } from '#test/account/support.js';
import { signedIn } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';
import { accountWith, browserOf, eventTypes, redirectTo, useOidc } from './support.js';

describe('auth.oauth.start', () => {
  const env = useOidc();

  it('answers with the provider’s address: PKCE with S256, a state, a nonce and the callback page', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const { result, activityId } = await account.svcTest.envelope(
      'auth.oauth.start',
      { provider: 'corp', redirectTo },
      { key: account.keys.test.publishable },
    );
    const { origin, searchParams } = new URL(result.authorizationUrl);
    expect(origin).to.equal(oidc.issuer);
    const { baseUrl } = platform.running.services.deployment;
    expect(Object.fromEntries(searchParams)).to.deep.include({
      client_id: oidc.clientId,
      response_type: 'code',
      redirect_uri: `${baseUrl}/auth/${account.test.id}/callback/corp`,
      scope: 'openid email profile',
      state: result.state,
      code_challenge_method: 'S256',
    });
    expect(searchParams.get('code_challenge')).to.match(/^[\w-]{43}$/);
    expect(searchParams.get('nonce')).to.match(/^\w{43}$/);
    expect(result.authorizationUrl).not.to.contain(result.browserToken);
    const started = (await platform.events(account.test)).filter(({ type }) => type === 'auth.oauth.started');
    expect(started.map(({ data }) => data)).to.deep.equal([{ provider: 'corp', userId: null }]);
    expect(JSON.stringify([started, await auditOf(platform, activityId)])).not.to.contain(result.state);
  });

  it('gives each start values of its own', async () => {
    const { platform, oidc } = env;
    const browser = browserOf(platform, await accountWith(platform, oidc));
    const [one, two] = [await browser.start(), await browser.start()];
    const secretsOf = ({ authorizationUrl, browserToken }: typeof one): (string | null)[] => {
      const { searchParams } = new URL(authorizationUrl);
      return [browserToken, ...['state', 'nonce', 'code_challenge'].map((name) => searchParams.get(name))];
    };
    expect(new Set([...secretsOf(one), ...secretsOf(two)])).to.have.length(8);
  });

  it('returns to allowed addresses alone', async () => {
    const { platform, oidc } = env;
    const { svcTest, keys } = await accountWith(platform, oidc);
    for (const address of ['https://evil.example.com/', 'https://app.example.com.evil.net/', 'javascript:alert(1)']) {
      const refused = await svcTest.refusal(
        'auth.oauth.start',
        { provider: 'corp', redirectTo: address },
        { key: keys.test.publishable },
      );
      expect(refused, address).to.include({ code: 'redirect_not_allowed', status: 403 });
    }
  });

  it('knows only providers that are configured and turned on', async () => {
    const { platform, oidc } = env;
    const { svcTest, keys } = await accountWith(platform, oidc);
    const refusal = async (provider: string): Promise<string> =>
      (await svcTest.refusal('auth.oauth.start', { provider, redirectTo }, { key: keys.test.publishable })).code;
    expect(await refusal('google')).to.equal('provider_not_configured');
    await svcTest.call('auth.settings.set', { methods: { corp: { enabled: false } } });
    expect(await refusal('corp')).to.equal('method_disabled');
    await svcTest.call('auth.settings.set', { methods: { corp: { enabled: true } } });
    const { issuer, clientId } = oidc;
    await svcTest.call('auth.oauth.app.set', { provider: 'corp', issuer, clientId, enabled: false });
    expect(await refusal('corp')).to.equal('method_disabled');
  });

  it('says what is wrong with a provider that fails', async () => {
    const { platform, oidc } = env;
    const { svcTest, keys, test } = await accountWith(platform, oidc);
    // The discovery document is read again.
    platform.clock.advance(minutes(11));
    oidc.changeDiscovery = (document) => ({ ...document, issuer: 'https://other.example.com' });
    try {
      const key = keys.test.publishable;
      const refused = await svcTest.refusal('auth.oauth.start', { provider: 'corp', redirectTo }, { key });
      expect(refused).to.include({ status: 502, code: 'provider_failed' });
      expect(refused.message).to.contain('Corp').and.to.contain('a different issuer');
      expect(refused.fix).to.contain('auth.oauth.app.list');
      expect(await eventTypes(platform, test)).to.deep.equal([]);
    } finally {
      oidc.changeDiscovery = undefined;
    }
  });

  it('adds an account to a signed-in user only after a recent sign-in, and never while impersonating', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const key = account.keys.test.publishable;
    const { accessToken, sessionId } = await signedIn(platform, account.test);
    const refusal = async (): Promise<string> =>
      (await account.svcTest.refusal('auth.oauth.start', { provider: 'corp', redirectTo, accessToken }, { key })).code;
    await browserOf(platform, account).start({ accessToken });
    platform.clock.advance(minutes(10));
    expect(await refusal()).to.equal('reauth_required');
    platform.clock.advance(-minutes(10));
    await platform.running.services.database.run(
      "UPDATE auth_session SET impersonator_id = UNHEX(?), impersonator_label = 'Support' WHERE id = UNHEX(?)",
      [account.memberId.replaceAll('-', ''), sessionId.replaceAll('-', '')],
    );
    expect(await refusal()).to.equal('impersonation_forbidden');
    await platform.running.services.database.run('UPDATE auth_session SET ended_at = NOW(3) WHERE id = UNHEX(?)', [
      sessionId.replaceAll('-', ''),
    ]);
    expect(await refusal()).to.equal('token_invalid');
  });

  it('may be called 30 times per IP in 10 minutes, and its completion as often', async () => {
    const { platform, oidc } = env;
    const { svcTest, keys } = await accountWith(platform, oidc);
    const key = keys.test.publishable;
    const statuses = async (path: string, body: object): Promise<number[]> => {
      const answers = [];
      for (let call = 0; call < 31; call += 1)
        answers.push((await svcTest.raw(path, JSON.stringify(body), { key })).status);
      return answers;
    };
    const unknown = { code: 'x', state: 'x', browserToken: 'x' };
    const limited = [
      await statuses('/auth/oauth/complete', unknown),
      await statuses('/auth/oauth/start', { provider: 'none', redirectTo }),
    ];
    for (const each of limited)
      expect(each.map((status) => status === 429)).to.deep.equal([...Array<boolean>(30).fill(false), true]);
  });
});
