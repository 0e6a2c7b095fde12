import { expect } from 'chai';
import { auditOf } from '#test/developers/key/support.js';
import { usePlatform, type TestNode } from '#test/support/platform.js';

describe('auth.settings.set', () => {
  const platform = usePlatform();
  const second: { node?: TestNode } = {};
  before(async () => (second.node = await platform.secondNode()));

  it('merges objects key by key, and counts on every node from the next request on', async () => {
    const { svc, keys } = await platform.account();
    await svc.call('auth.settings.set', {
      rateLimits: { startPerIp: { windowSeconds: 120 } },
      claims: { plan: 'plan' },
    });
    const { settings } = await svc.call('auth.settings.set', {
      rateLimits: { startPerIp: { max: 7 } },
      methods: { link: { enabled: false } },
      claims: { tier: 'tier' },
    });
    expect(settings.rateLimits.startPerIp).to.deep.equal({ max: 7, windowSeconds: 120 });
    expect(settings.rateLimits.startPerIdentifier).to.deep.equal({ max: 5, windowSeconds: 600 });
    expect(settings.methods['link']).to.deep.equal({ enabled: false });
    expect(settings.methods['code']).to.deep.equal({ enabled: true });
    expect(settings.claims).to.deep.equal({ plan: 'plan', tier: 'tier' });
    const seen = await second.node?.as(keys.live.secret).call('auth.settings.get', {});
    expect(seen?.settings).to.deep.equal(settings);
    const removed = await svc.call('auth.settings.set', { claims: { plan: null } });
    expect(removed.settings.claims).to.deep.equal({ tier: 'tier' });
  });

  it('keeps both of two changes that are made at once', async () => {
    const { svc } = await platform.account();
    await Promise.all([
      svc.call('auth.settings.set', { accessTokenSeconds: 600 }),
      svc.call('auth.settings.set', { refreshTokenSeconds: 7200 }),
      svc.call('auth.settings.set', { password: { minLength: 12 } }),
    ]);
    const { settings } = await svc.call('auth.settings.get', {});
    expect(settings).to.include({ accessTokenSeconds: 600, refreshTokenSeconds: 7200 });
    expect(settings.password).to.deep.equal({ minLength: 12, checkBreached: true });
  });

  it('accepts each number within its range, and nothing outside', async () => {
    const { svc } = await platform.account();
    const window = { startPerIp: { max: 1, windowSeconds: 60 } };
    const ranges: [object, object][] = [
      [{ accessTokenSeconds: 300 }, { accessTokenSeconds: 299 }],
      [{ accessTokenSeconds: 3600 }, { accessTokenSeconds: 3601 }],
      [{ refreshTokenSeconds: 3600 }, { refreshTokenSeconds: 3599 }],
      [{ refreshTokenSeconds: 31_536_000 }, { refreshTokenSeconds: 31_536_001 }],
      [{ rateLimits: window }, { rateLimits: { startPerIp: { max: 0 } } }],
      [{ rateLimits: window }, { rateLimits: { completePerIp: { max: 101 } } }],
      [{ rateLimits: window }, { rateLimits: { startPerIdentifier: { windowSeconds: 59 } } }],
      [
        { rateLimits: { startPerIp: { windowSeconds: 86_400 } } },
        { rateLimits: { startPerIp: { windowSeconds: 86_401 } } },
      ],
      [{ botProtection: { signupPerIp: { max: 100 } } }, { botProtection: { signupPerIp: { max: 101 } } }],
      [{ password: { minLength: 64 } }, { password: { minLength: 65 } }],
      [{ password: { minLength: 8 } }, { password: { minLength: 7 } }],
      [{ signup: { allow: 'nobody' } }, { signup: { allow: 'somebody' } }],
      [{ mfa: { required: true } }, { mfa: { required: 'yes' } }],
      [{ selfDelete: { enabled: true } }, { selfDelete: {}, unknown: 1 }],
    ];
    for (const [allowed, refused] of ranges) {
      expect((await svc.raw('/auth/settings/set', JSON.stringify(allowed))).status, JSON.stringify(allowed)).to.equal(
        200,
      );
      const { code } = await svc.refusal('auth.settings.set', refused);
      expect(code, JSON.stringify(refused)).to.equal('invalid_input');
    }
    expect((await svc.refusal('auth.settings.set', {})).code).to.equal('invalid_input');
  });

  it('refuses claims that tokens have themselves, methods that do not exist and domains that are none', async () => {
    const { svc } = await platform.account();
    const reserved = ['iss', 'sub', 'aud', 'sid', 'fam', 'iat', 'exp', 'auth_time', 'amr', 'act', 'org_id', 'org_role'];
    for (const claim of [...reserved, 'mfa', 'nbf', 'jti', '__proto__', '']) {
      const body = `{"claims":{${JSON.stringify(claim)}:"plan"}}`;
      const { status, text } = await svc.raw('/auth/settings/set', body);
      expect(status, claim).to.equal(400);
      expect(text).to.contain('invalid_input');
    }
    const misspelt = await svc.refusal('auth.settings.set', { methods: { passkeys: { enabled: true } } });
    expect(misspelt).to.include({ status: 400, code: 'invalid_input' });
    expect(misspelt.details).to.deep.equal({ field: 'methods.passkeys' });
    for (const allowedDomains of [['https://example.com'], ['a b'], ['']])
      expect((await svc.refusal('auth.settings.set', { signup: { allowedDomains } })).code).to.equal('invalid_input');
    const { settings } = await svc.call('auth.settings.set', {
      signup: { allowedDomains: ['Example.COM', 'example.com', 'bücher.example'] },
      methods: { google: { enabled: true } },
      claims: { 'https://example.com/plan': 'plan' },
    });
    expect(settings.signup.allowedDomains).to.deep.equal(['example.com', 'xn--bcher-kva.example']);
  });

  it('limits the size of claims across calls, because each is in every token', async () => {
    const { svc } = await platform.account();
    const claims = (from: number, count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${from + index}`, 'plan']));
    await svc.call('auth.settings.set', { claims: claims(0, 30) });
    const refused = await svc.refusal('auth.settings.set', { claims: claims(30, 21) });
    expect(refused).to.include({ status: 400, code: 'invalid_input' });
    expect(refused.details).to.deep.equal({ field: 'claims' });
    const { settings } = await svc.call('auth.settings.set', { claims: claims(30, 20) });
    expect(Object.keys(settings.claims)).to.have.length(50);
    await svc.call('auth.settings.set', { claims: { c0: null, other: 'plan' } });
  });

  it('takes redirect addresses that cannot be turned against users, and no others', async () => {
    const { svc } = await platform.account();
    const good = [
      'https://app.example.com',
      'https://app.example.com/callback?tenant=1',
      'http://localhost:3000',
      'http://127.0.0.1:8080/cb',
      'com.example.app:/callback',
    ];
    const { settings } = await svc.call('auth.settings.set', { redirectUrls: good });
    expect(settings.redirectUrls).to.deep.equal(good);
    for (const bad of [
      'http://app.example.com',
      'https://app.example.com/#token',
      'https://user@app.example.com',
      'javascript:alert(1)',
      'data:text/html,hi',
      'myapp:/callback',
      '//app.example.com',
      'https:\\\\app.example.com',
    ])
      expect((await svc.refusal('auth.settings.set', { redirectUrls: [bad] })).code, bad).to.equal('invalid_input');
    expect((await svc.call('auth.settings.get', {})).settings.redirectUrls).to.deep.equal(good);
  });

  it('refuses to turn off the last way to sign in, counting only what is available', async () => {
    const { svc } = await platform.account();
    const off = { enabled: false };
    await svc.call('auth.settings.set', { methods: { code: off, link: off, password: off } });
    // This deployment sends no texts, and no provider is configured.
    const on = { enabled: true };
    const refused = await svc.refusal('auth.settings.set', { methods: { passkey: off, sms: on, google: on } });
    expect(refused).to.include({ status: 400, code: 'no_usable_signin_method' });
    const { settings } = await svc.call('auth.settings.get', {});
    expect(settings.methods['passkey']).to.deep.equal({ enabled: true });
    expect(settings.methods).to.not.have.property('google');
  });

  it('writes one event and an audit record that names each change, and neither for a repeat', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const events = async (): Promise<string[]> =>
      (await platform.events(live)).filter(({ type }) => type.startsWith('auth.')).map(({ type }) => type);
    const { activityId } = await svc.envelope('auth.settings.set', {
      accessTokenSeconds: 600,
      methods: { sms: { enabled: true } },
    });
    const record = await auditOf(platform, activityId);
    expect(record.operation).to.equal('auth.settings.set');
    expect(JSON.parse(record.changes)).to.deep.equal([
      { field: 'accessTokenSeconds', from: 900, to: 600 },
      { field: 'methods.sms.enabled', from: false, to: true },
    ]);
    const repeat = await svc.envelope('auth.settings.set', { accessTokenSeconds: 600 });
    expect((await auditOf(platform, repeat.activityId)).changes).to.equal('[]');
    expect(await events()).to.deep.equal(['auth.settings.changed']);
  });
});
