import { expect } from 'chai';
import { auditOf } from '#test/account/support.js';
import { userOf } from '#test/auth/support.js';
import { publishableApi, userWithTotp } from '#test/auth/factor/support.js';
import { accountWith, browserOf, eventTypes, failures, redirectTo, refusalOf, useOidc } from './support.js';

const stranger = { email: 'grace@example.com', email_verified: true };

describe('auth.oauth.complete', () => {
  const env = useOidc();

  beforeEach(() => {
    env.oidc.person = {
      sub: 'ada',
      claims: { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace', locale: 'en-GB' },
    };
    env.oidc.addressInIdToken = true;
  });

  it('signs a new user up with the name and address that the provider has verified', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const { svcTest, keys } = account;
    const browser = browserOf(platform, account);
    const { result, activityId } = await svcTest.envelope('auth.oauth.complete', await browser.arrive(), {
      key: keys.test.publishable,
    });
    expect(result).to.deep.include({ status: 'complete', mfa: null, redirectTo });
    expect(result.tokens?.accessToken).to.be.a('string');
    expect(result.user).to.deep.include({
      email: 'ada@example.com',
      emailVerified: true,
      name: 'Ada Lovelace',
      locale: 'en-GB',
    });
    expect(await eventTypes(platform, account.test)).to.deep.equal([
      'auth.oauth.started',
      'auth.user.created',
      'auth.signin.completed',
    ]);
    expect(await auditOf(platform, activityId)).to.deep.include({
      subjectId: result.user?.id,
      summary: 'Signed a user in (oauth).',
    });
  });

  it('takes a language only if it is one, and the parts of a name if there is no whole one', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const { svcTest, keys } = account;
    const written: readonly (readonly [string, string | null])[] = [
      ['de_DE', 'de-DE'],
      ['en_US.UTF-8', 'en-US'],
      ['C', null],
      ['english (united states)', null],
      ['en-US,en;q=0.9', null],
    ];
    for (const [index, [locale, stored]] of written.entries()) {
      const email = `locale${index}@example.com`;
      const name = { given_name: 'Ada', family_name: 'Lovelace' };
      oidc.person = { sub: `locale-${index}`, claims: { email, email_verified: true, locale, ...name } };
      const { user } = await svcTest.call('auth.oauth.complete', await browserOf(platform, account).arrive(), {
        key: keys.test.publishable,
      });
      expect(user, locale).to.deep.include({ locale: stored, name: 'Ada Lovelace' });
    }
  });

  it('recognises the account at the provider, whatever its address is by then', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const browser = browserOf(platform, account);
    const first = await browser.signIn();
    oidc.person = { sub: 'ada', claims: { email: 'countess@example.com', email_verified: false } };
    const second = await browser.signIn();
    expect(second.user?.id).to.equal(first.user?.id);
    expect(second.user?.email).to.equal('ada@example.com');
    expect(await platform.count('auth_user', `environment_id = x'${account.test.id.replaceAll('-', '')}'`)).to.equal(1);
  });

  it('finds the user who has the address if both sides have verified it, and links the account', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const userId = await userOf(platform, account.test, 'ADA@example.com');
    const browser = browserOf(platform, account);
    expect((await browser.signIn()).user?.id).to.equal(userId);
    expect(await eventTypes(platform, account.test)).to.deep.equal([
      'auth.user.created',
      'auth.oauth.started',
      'auth.identity.added',
      'auth.signin.completed',
    ]);
    oidc.person = { sub: 'ada', claims: {} };
    expect((await browser.signIn()).user?.id, 'by the linked account').to.equal(userId);
  });

  it('lets nobody in by an address that the provider has not verified', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    await userOf(platform, account.test, 'ada@example.com');
    const browser = browserOf(platform, account);
    for (const claims of [
      { email: 'ada@example.com', email_verified: false },
      { email: 'ada@example.com' },
      { email: 'new@example.com', email_verified: 'no' },
      {},
    ]) {
      oidc.person = { sub: 'mallory', claims };
      const refused = await account.svcTest.refusal('auth.oauth.complete', await browser.arrive(), {
        key: account.keys.test.publishable,
      });
      expect(refused, JSON.stringify(claims)).to.include({ code: 'identity_unverified', status: 403 });
    }
    expect(await failures(platform, account.test)).to.deep.equal(Array(4).fill('identity_unverified'));
    expect(await platform.count('auth_identity', "identity_key LIKE '%mallory'")).to.equal(0);
  });

  it('does not take over a user whose address was never proven here, and leaves it unproven', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const userId = await userOf(platform, account.test, 'grace@example.com');
    await platform.running.services.database.run(
      "UPDATE auth_identity SET verified_at = NULL WHERE identity_key = 'grace@example.com'",
    );
    oidc.person = { sub: 'grace', claims: stranger };
    const browser = browserOf(platform, account);
    const refused = await account.svcTest.refusal('auth.oauth.complete', await browser.arrive(), {
      key: account.keys.test.publishable,
    });
    expect(refused).to.include({ code: 'identity_unverified' });
    expect(refused.fix).to.contain('auth.signin.start');
    const id = `x'${userId.replaceAll('-', '')}'`;
    expect(await platform.count('auth_identity', `user_id = ${id} AND verified_at IS NULL`)).to.equal(1);
    expect(await platform.count('auth_identity', `user_id = ${id}`)).to.equal(1);
  });

  it('asks the userinfo endpoint where the ID token names no address', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    oidc.addressInIdToken = false;
    const { user } = await browserOf(platform, account).signIn();
    expect(user).to.deep.include({ email: 'ada@example.com', name: 'Ada Lovelace' });
  });

  it('counts sign-ups per IP address', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const { svcTest, keys } = account;
    await svcTest.call('auth.settings.set', {
      botProtection: { enabled: true, signupPerIp: { max: 1, windowSeconds: 3600 } },
    });
    const browser = browserOf(platform, account);
    await browser.signIn();
    oidc.person = { sub: 'grace', claims: stranger };
    const refused = await svcTest.refusal('auth.oauth.complete', await browser.arrive(), {
      key: keys.test.publishable,
    });
    expect(refused.code).to.equal('rate_limited');
  });

  it('takes no new users where sign-up is closed or the domain is blocked, but known ones', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const { svcTest } = account;
    const browser = browserOf(platform, account);
    const known = await browser.signIn();
    const refusal = async (): Promise<string> => refusalOf(account, await browser.arrive());
    await svcTest.call('auth.settings.set', { signup: { allow: 'nobody' } });
    expect((await browser.signIn()).user?.id).to.equal(known.user?.id);
    oidc.person = { sub: 'grace', claims: stranger };
    expect(await refusal()).to.equal('signup_closed');
    await svcTest.call('auth.settings.set', { signup: { allow: 'anyone', blockedDomains: ['example.com'] } });
    expect(await refusal()).to.equal('signup_domain_blocked');
    expect(await failures(platform, account.test)).to.deep.equal(['signup_closed', 'signup_domain_blocked']);
    const created = (await platform.events(account.test)).filter(({ type }) => type === 'auth.user.created');
    expect(created, 'Ada alone').to.have.length(1);
  });

  it('lets no banned user in', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const browser = browserOf(platform, account);
    const { user } = await browser.signIn();
    await platform.running.services.database.run('UPDATE auth_user SET banned_at = NOW(3) WHERE id = UNHEX(?)', [
      (user?.id ?? '').replaceAll('-', ''),
    ]);
    expect(await refusalOf(account, await browser.arrive())).to.equal('user_banned');
    expect(await failures(platform, account.test)).to.deep.equal(['user_banned']);
  });

  it('asks for the second factor of a user who has one', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const { user, app } = await userWithTotp(platform, account, 'ada@example.com', 'test');
    const result = await browserOf(platform, account).signIn();
    expect(result).to.deep.include({ status: 'mfa_required', tokens: null, user: null });
    const { mfaToken = '' } = result.mfa ?? {};
    const signedIn = await publishableApi(platform, account, 'test').call('auth.mfa.verify', {
      mfaToken,
      code: app.code(),
    });
    expect(signedIn.user?.id).to.equal(user.userId);
  });

  it('hands the sign-in over to redirectTo with a one-time code', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const result = await browserOf(platform, account).signIn({ handoff: true });
    expect(result).to.deep.include({ status: 'handoff', tokens: null, user: null });
    expect(result.redirectTo).to.match(/^https:\/\/app\.example\.com\/signed-in\?svc_code=/);
  });

  it('signs in the same person at once in two browsers as one user', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const browser = browserOf(platform, account);
    const arrivals = [await browser.arrive(), await browser.arrive(), await browser.arrive()];
    const results = await Promise.all(
      arrivals.map((arrival) =>
        account.svcTest.call('auth.oauth.complete', arrival, { key: account.keys.test.publishable }),
      ),
    );
    expect(new Set(results.map(({ user }) => user?.id))).to.have.length(1);
    expect(await eventTypes(platform, account.test)).to.have.members([
      ...Array<string>(3).fill('auth.oauth.started'),
      'auth.user.created',
      ...Array<string>(3).fill('auth.signin.completed'),
    ]);
  });

  it('answers a repeat with the same Idempotency-Key alike, without asking the provider again', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const arrival = await browserOf(platform, account).arrive();
    const options = { key: account.keys.test.publishable, idempotencyKey: 'complete-once' };
    const first = await account.svcTest.call('auth.oauth.complete', arrival, options);
    const asked = oidc.asked.get('/token');
    expect(await account.svcTest.call('auth.oauth.complete', arrival, options)).to.deep.equal(first);
    expect(oidc.asked.get('/token')).to.equal(asked);
  });
});
