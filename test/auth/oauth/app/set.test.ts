import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { oauthApps } from '#plugins/auth/tables/oauth-app.js';
import { minutes } from '#test/support/clock.js';
import { sendJson } from '#test/support/http-fake.js';
import { auditOf } from '#test/account/support.js';
import { appOf, useOidc } from '../support.js';

const google = {
  provider: 'google',
  clientId: '1234.apps.example.com',
  clientSecret: 'GOCSPX-of-google',
  enabled: false,
};

describe('auth.oauth.app.set', () => {
  const env = useOidc();

  it('configures an issuer after reading its discovery document, and says which redirect URI to register there', async () => {
    const { platform, oidc } = env;
    const { svcTest, test } = await platform.account();
    const asked = oidc.asked.get('/.well-known/openid-configuration') ?? 0;
    const { result, activityId } = await svcTest.envelope('auth.oauth.app.set', appOf(oidc));
    expect(oidc.asked.get('/.well-known/openid-configuration')).to.equal(asked + 1);
    const { baseUrl } = platform.running.services.deployment;
    const now = platform.clock.now().toISOString();
    expect(result.app).to.deep.equal({
      provider: 'corp',
      name: 'Corp',
      clientId: oidc.clientId,
      issuer: oidc.issuer,
      scopes: ['openid', 'email', 'profile'],
      enabled: true,
      callbackUrl: `${baseUrl}/auth/${test.id}/callback/corp`,
      createdAt: now,
      updatedAt: now,
    });
    const changed = (await platform.events(test)).filter(({ type }) => type === 'auth.oauth.app.changed');
    expect(changed.map(({ data }) => data)).to.deep.equal([{ app: result.app, removed: false }]);
    const { changes } = await auditOf(platform, activityId);
    expect(changes).to.deep.include({ field: 'clientSecret', from: null, to: '(withheld)' });
    expect(JSON.stringify(changes)).not.to.contain(oidc.clientSecret);
  });

  it('knows issuer, scopes and name of Google, GitHub, Microsoft, Apple, GitLab and LinkedIn', async () => {
    const { platform } = env;
    const { svc } = await platform.account();
    const set = async (provider: string) =>
      (await svc.call('auth.oauth.app.set', { provider, clientId: 'id', clientSecret: 'secret', enabled: false })).app;
    expect(await set('google')).to.deep.include({ name: 'Google', issuer: 'https://accounts.google.com' });
    expect(await set('github')).to.deep.include({
      name: 'GitHub',
      issuer: null,
      scopes: ['read:user', 'user:email'],
    });
    expect(await set('microsoft')).to.deep.include({
      name: 'Microsoft',
      issuer: 'https://login.microsoftonline.com/common/v2.0',
    });
    expect(await set('gitlab')).to.deep.include({ name: 'GitLab', issuer: 'https://gitlab.com' });
    expect(await set('linkedin')).to.deep.include({ name: 'LinkedIn', issuer: 'https://www.linkedin.com/oauth' });
  });

  it('names callbackUrl before the provider gave a client id and a secret, and turns the provider on only with a secret', async () => {
    const { platform } = env;
    const { svc } = await platform.account();
    for (const provider of ['google', 'github', 'microsoft', 'apple', 'gitlab', 'linkedin']) {
      const pending = { provider, clientId: 'pending' };
      const { app } = await svc.call('auth.oauth.app.set', { ...pending, enabled: false });
      expect(app).to.include({ enabled: false });
      expect(app.callbackUrl).to.match(new RegExp(`/callback/${provider}$`));
      if (provider === 'gitlab') continue; // it lets public clients sign in without a secret
      const refused = await svc.refusal('auth.oauth.app.set', { ...pending, enabled: true });
      expect(refused).to.deep.include({ code: 'invalid_input', details: { field: 'clientSecret' } });
    }
  });

  it('changes nothing when repeated, and says so without an event', async () => {
    const { platform, oidc } = env;
    const { svcTest, test } = await platform.account();
    const first = await svcTest.call('auth.oauth.app.set', appOf(oidc));
    platform.clock.advance(1_000);
    const { result, activityId } = await svcTest.envelope('auth.oauth.app.set', appOf(oidc));
    expect(result).to.deep.equal(first);
    expect(await auditOf(platform, activityId)).to.deep.include({ changes: [] });
    expect((await platform.events(test)).filter(({ type }) => type === 'auth.oauth.app.changed')).to.have.length(1);
  });

  it('stores the client secret sealed, shows it nowhere, and keeps it while the client stays the same', async () => {
    const { platform } = env;
    const { svc, live } = await platform.account();
    const rowOf = async (): Promise<Buffer | null> => {
      const [row] = await platform.running.services.database.rows<{ client_secret: Buffer | null }>(
        'SELECT client_secret FROM auth_oauth_app WHERE environment_id = UNHEX(?)',
        [live.id.replaceAll('-', '')],
      );
      return row?.client_secret ?? null;
    };
    await svc.call('auth.oauth.app.set', google);
    const sealed = await rowOf();
    expect(sealed?.toString('latin1')).not.to.contain(google.clientSecret);
    const { clientSecret: _, ...withoutSecret } = google;
    await svc.call('auth.oauth.app.set', { ...withoutSecret, name: 'Google Workspace' });
    expect(await rowOf()).to.deep.equal(sealed);
    const shown = JSON.stringify([await svc.call('auth.oauth.app.list', {}), await platform.events(live)]);
    expect(shown).to.contain('Google Workspace').and.not.to.contain(google.clientSecret);
  });

  it('never keeps a secret for another client or another issuer', async () => {
    const { platform } = env;
    const { svc, live } = await platform.account();
    const secretsOf = (provider: string): Promise<number> =>
      platform.count(
        'auth_oauth_app',
        `provider = '${provider}' AND client_secret IS NOT NULL AND environment_id = x'${live.id.replaceAll('-', '')}'`,
      );
    await svc.call('auth.oauth.app.set', google);
    const { clientSecret: _, ...withoutSecret } = google;
    const another = { ...withoutSecret, clientId: 'another' };
    const refused = await svc.refusal('auth.oauth.app.set', { ...another, enabled: true });
    expect(refused).to.deep.include({ code: 'invalid_input', details: { field: 'clientSecret' } });
    await svc.call('auth.oauth.app.set', another);
    expect(await secretsOf('google'), 'the secret of the former client').to.equal(0);

    const gitlab = { provider: 'gitlab', clientId: 'id', enabled: false };
    await svc.call('auth.oauth.app.set', { ...gitlab, clientSecret: 'of gitlab.com' });
    await svc.call('auth.oauth.app.set', { ...gitlab, issuer: 'https://gitlab.example.com' });
    expect(await secretsOf('gitlab'), 'a public client of the other server').to.equal(0);
  });

  it('says what is wrong with a discovery document', async () => {
    const { platform, oidc } = env;
    // Nothing that an earlier test had read is used again.
    platform.clock.advance(minutes(11));
    const { svcTest } = await platform.account();
    const problemOf = async (): Promise<string> => {
      const refused = await svcTest.refusal('auth.oauth.app.set', appOf(oidc));
      expect(refused).to.include({ code: 'provider_failed', status: 502 });
      return refused.message;
    };
    try {
      oidc.changeDiscovery = (document) => ({ ...document, issuer: 'https://another.example.com' });
      expect(await problemOf()).to.contain('its discovery document names a different issuer');
      oidc.changeDiscovery = ({ token_endpoint: _, ...rest }) => rest;
      expect(await problemOf()).to.contain('does not contain token_endpoint');
      oidc.changeDiscovery = undefined;
      const path = '/.well-known/openid-configuration';
      oidc.answers.set(path, (response) => response.writeHead(404).end('Not here'));
      expect(await problemOf()).to.contain('unexpected HTTP status');
      oidc.answers.set(path, (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
      expect(await problemOf(), 'redirects are not followed').to.contain('unexpected HTTP status');
      oidc.answers.set(path, (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"issuer":'),
      );
      expect(await problemOf()).to.contain('not valid JSON');
      oidc.answers.set(path, (response) => sendJson(response, { padding: 'x'.repeat(200_000) }));
      expect(await problemOf()).to.contain('larger than 128 KiB');
    } finally {
      oidc.changeDiscovery = undefined;
      oidc.answers.clear();
    }
    expect((await svcTest.call('auth.oauth.app.list', {})).apps).to.deep.equal([]);
    // Once it is corrected, the next call takes it.
    expect((await svcTest.call('auth.oauth.app.set', appOf(oidc))).app.provider).to.equal('corp');
  });

  it('stores a disabled provider unchecked, so that one which is down can be turned off', async () => {
    const { platform, oidc } = env;
    const { svcTest } = await platform.account();
    platform.clock.advance(600_000);
    oidc.answers.set('/.well-known/openid-configuration', (response) => response.writeHead(500).end());
    try {
      const { app } = await svcTest.call('auth.oauth.app.set', { ...appOf(oidc), enabled: false });
      expect(app.enabled).to.equal(false);
    } finally {
      oidc.answers.clear();
    }
  });

  it('refuses private addresses: of the issuer, and in the discovery document', async () => {
    const { platform, oidc } = env;
    const { svc, svcTest } = await platform.account();
    for (const issuer of [
      'https://10.0.0.1',
      'https://169.254.169.254/latest',
      'https://[::1]:8443',
      'https://user@example.com',
    ]) {
      const refused = await svcTest.refusal('auth.oauth.app.set', { ...appOf(oidc), issuer });
      expect(refused, issuer).to.include({ code: 'url_not_allowed', status: 403 });
    }
    const plain = await svc.refusal('auth.oauth.app.set', appOf(oidc));
    expect(plain.message, 'http in a live environment').to.contain('https://');
    expect(plain.code).to.equal('url_not_allowed');
    try {
      for (const endpoint of ['token_endpoint', 'jwks_uri', 'userinfo_endpoint', 'authorization_endpoint']) {
        platform.clock.advance(600_000);
        oidc.changeDiscovery = (document) => ({ ...document, [endpoint]: 'http://10.0.0.1/' });
        const refused = await svcTest.refusal('auth.oauth.app.set', appOf(oidc));
        expect(refused, endpoint).to.include({ code: 'url_not_allowed' });
        expect(refused.message).to.contain(endpoint);
      }
    } finally {
      oidc.changeDiscovery = undefined;
    }
  });

  it('refuses what cannot work, and names the field', async () => {
    const { platform, oidc } = env;
    const { svc, svcTest } = await platform.account();
    const fieldOf = async (input: object, api = svcTest): Promise<unknown> => {
      const { code, details } = await api.refusal('auth.oauth.app.set', { ...appOf(oidc), ...input });
      return code === 'invalid_input' ? details['field'] : code;
    };
    expect(await fieldOf({ provider: 'password' })).to.equal('provider');
    expect(await fieldOf({ provider: 'Corp:1' })).to.equal('provider');
    expect(await fieldOf({ issuer: undefined })).to.equal('issuer');
    expect(await fieldOf({ issuer: `${oidc.issuer}/.well-known/openid-configuration` })).to.equal('issuer');
    expect(await fieldOf({ issuer: `${oidc.issuer}/?tenant=1` })).to.equal('issuer');
    expect(await fieldOf({ scopes: ['two words'] })).to.equal('scopes[0]');
    const apple = { provider: 'apple', clientId: 'com.example', clientSecret: 'not JSON', issuer: undefined };
    expect(await fieldOf(apple)).to.equal('clientSecret');
    expect(await fieldOf({ ...google, issuer: 'https://accounts.example.com', enabled: true }, svc)).to.equal('issuer');
  });

  it('keeps the last way to sign in', async () => {
    const { platform, oidc } = env;
    // The discovery document that an earlier test had read is not used again.
    platform.clock.advance(minutes(11));
    const { svcTest, test } = await platform.account();
    await svcTest.call('auth.oauth.app.set', appOf(oidc));
    const off = { enabled: false };
    await svcTest.call('auth.settings.set', {
      methods: { code: off, link: off, password: off, passkey: off, sms: off },
    });
    const events = (await platform.events(test)).length;
    const refused = await svcTest.refusal('auth.oauth.app.set', { ...appOf(oidc), enabled: false });
    expect(refused).to.include({ code: 'no_usable_signin_method', status: 400 });
    expect((await svcTest.call('auth.oauth.app.list', {})).apps[0]).to.include({ provider: 'corp', enabled: true });
    expect((await platform.events(test)).length).to.equal(events);
  });

  it('configures fifty providers and no more, and takes the names of removed ones again', async () => {
    const { platform } = env;
    const { svc, live } = await platform.account();
    const name = (n: number): string => `idp-${n}`;
    await svc.call('auth.oauth.app.set', { ...google, provider: name(0), issuer: 'https://idp.example.com' });
    const { database } = platform.running.services;
    const [made] = await database.find(oauthApps, { environmentId: live.id });
    if (!made) throw new Error('The provider was not stored.');
    const further = Array.from({ length: 49 }, (_, n) => ({ ...made, id: newId(), provider: name(n + 1) }));
    await database.insert(oauthApps, further);
    const onceMore = { ...google, provider: name(50), issuer: 'https://idp.example.com' };
    const refused = await svc.refusal('auth.oauth.app.set', onceMore);
    expect(refused).to.include({ code: 'limit_reached', status: 409 });
    expect(refused.fix).to.contain('auth.oauth.app.remove');
    await svc.call('auth.oauth.app.remove', { provider: name(1) });
    await svc.call('auth.oauth.app.set', onceMore);
    expect((await svc.refusal('auth.oauth.app.set', { ...onceMore, provider: name(1) })).code).to.equal(
      'limit_reached',
    );
    await svc.call('auth.oauth.app.remove', { provider: name(2) });
    await svc.call('auth.oauth.app.set', { ...onceMore, provider: name(1) });
  });

  it('is changed by two calls at once without an error', async () => {
    const { platform } = env;
    const { svc } = await platform.account();
    await Promise.all(['One', 'Two', 'Three'].map((name) => svc.call('auth.oauth.app.set', { ...google, name })));
    expect((await svc.call('auth.oauth.app.list', {})).apps).to.have.length(1);
  });
});
