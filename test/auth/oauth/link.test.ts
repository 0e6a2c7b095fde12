import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { oauthIdentity } from '#plugins/auth/identities/normalize.js';
import { identities } from '#plugins/auth/tables/identity.js';
import { auditOf } from '#test/account/support.js';
import { signedIn } from '#test/auth/support.js';
import { itNeeding } from '#test/support/products.js';
import { accountWith, browserOf, eventTypes, failures, redirectTo, refusalOf, useOidc } from './support.js';

describe('A provider’s account added to a signed-in user', () => {
  const env = useOidc();

  itNeeding('email')(
    'is theirs from then on, whatever its address, and their session goes on without new tokens',
    async () => {
      const { platform, oidc } = env;
      const account = await accountWith(platform, oidc);
      const { svcTest, keys, test } = account;
      const { accessToken, userId } = await signedIn(platform, test);
      oidc.person = { sub: 'ada-at-work', claims: { email: 'other@example.com', email_verified: false } };
      const browser = browserOf(platform, account);
      const { result, activityId } = await svcTest.envelope(
        'auth.oauth.complete',
        await browser.arrive({ accessToken }),
        { key: keys.test.publishable },
      );
      expect(result).to.deep.include({ status: 'complete', tokens: null, mfa: null, redirectTo });
      expect(result.user).to.include({ id: userId, email: 'ada@example.com' });
      const added = (await platform.events(test)).filter(({ type }) => type === 'auth.identity.added');
      expect(added).to.have.length(1);
      expect(added[0]?.data).to.deep.nested.include({
        userId,
        'identity.kind': 'oauth',
        'identity.provider': 'corp',
        'identity.value': 'corp:ada-at-work',
        'identity.primary': false,
      });
      expect((await auditOf(platform, activityId)).changes).to.deep.equal([
        { field: 'identities', from: null, to: 'corp:ada-at-work' },
      ]);
      expect(await eventTypes(platform, test)).not.to.include('auth.signin.completed');
      const { messages } = await svcTest.call('email.message.list', {});
      expect(
        messages.map(({ template }) => template),
        'they are told',
      ).to.include('auth.notice.identity_added');
      expect((await browser.signIn()).user?.id, 'signs in with it').to.equal(userId);
    },
  );

  it('is kept when they add it again', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const { accessToken } = await signedIn(platform, account.test);
    const browser = browserOf(platform, account);
    await browser.signIn({ accessToken });
    const { activityId } = await account.svcTest.envelope(
      'auth.oauth.complete',
      await browser.arrive({ accessToken }),
      { key: account.keys.test.publishable },
    );
    expect((await auditOf(platform, activityId)).summary).to.match(/^Nothing changed/);
    const types = await eventTypes(platform, account.test);
    expect(types.filter((type) => type === 'auth.identity.added')).to.have.length(1);
  });

  it('is refused to a user who has twenty of them, and tells the next step', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const { accessToken, userId } = await signedIn(platform, account.test);
    const { database, clock } = platform.running.services;
    for (let n = 0; n < 20; n += 1) {
      const { kind, key, value, provider } = oauthIdentity('corp', `other-${n}`);
      const owner = { environmentId: account.test.id, userId, isPrimary: false, byUser: true };
      const now = clock.now();
      const row = { ...owner, id: newId(), kind, identityKey: key, value, provider, verifiedAt: now, createdAt: now };
      await database.insert(identities, row);
    }
    const browser = browserOf(platform, account);
    const refused = await account.svcTest.refusal('auth.oauth.complete', await browser.arrive({ accessToken }), {
      key: account.keys.test.publishable,
    });
    expect(refused).to.include({ status: 409, code: 'limit_reached' });
    expect(refused.fix).to.contain('auth.identity.remove');
  });

  it('stays with the user who has it', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const browser = browserOf(platform, account);
    oidc.person = { sub: 'grace', claims: { email: 'grace@example.com', email_verified: true } };
    const grace = await browser.signIn();
    const { accessToken } = await signedIn(platform, account.test);
    expect(await refusalOf(account, await browser.arrive({ accessToken }))).to.equal('identity_taken');
    expect(await failures(platform, account.test)).to.deep.equal(['identity_taken']);
    expect((await browser.signIn()).user?.id).to.equal(grace.user?.id);
  });

  it('goes to one of two users who add it at the same time', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const key = account.keys.test.publishable;
    const browser = browserOf(platform, account);
    oidc.person = { sub: 'shared', claims: {} };
    const users = await Promise.all(
      ['one@example.com', 'two@example.com'].map((email) => signedIn(platform, account.test, { email })),
    );
    const arrivals = [];
    for (const { accessToken } of users) arrivals.push(await browser.arrive({ accessToken }));
    const answers = await Promise.all(
      arrivals.map((arrival) => account.svcTest.raw('/auth/oauth/complete', JSON.stringify(arrival), { key })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
  });

  it('is not added once the session that began it has ended', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    oidc.person = { sub: 'late', claims: {} };
    const { accessToken, sessionId } = await signedIn(platform, account.test);
    const arrival = await browserOf(platform, account).arrive({ accessToken });
    await platform.running.services.database.run('UPDATE auth_session SET ended_at = NOW(3) WHERE id = UNHEX(?)', [
      sessionId.replaceAll('-', ''),
    ]);
    const refused = await account.svcTest.refusal('auth.oauth.complete', arrival, {
      key: account.keys.test.publishable,
    });
    expect(refused.code).to.equal('challenge_expired');
    expect(await platform.count('auth_identity', "identity_key LIKE '%:late'")).to.equal(0);
  });

  it('is not added to a user who was deleted and erased meanwhile, and may sign up with it', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    oidc.person = { sub: 'gone', claims: { email: 'ada@example.com', email_verified: true } };
    const { accessToken, userId } = await signedIn(platform, account.test);
    const browser = browserOf(platform, account);
    const arrival = await browser.arrive({ accessToken });
    await account.svcTest.call('auth.user.delete', { userId });
    await platform.settled();
    expect(await refusalOf(account, arrival)).to.equal('state_mismatch');
    expect(await platform.count('auth_identity', "identity_key LIKE '%:gone'")).to.equal(0);
    const { user } = await browser.signIn();
    expect(user).to.include({ email: 'ada@example.com' });
    expect(user?.id).not.to.equal(userId);
  });
});
