import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { emailIdentity } from '#plugins/auth/identities/normalize.js';
import { factors } from '#plugins/auth/tables/factor.js';
import { passkeys } from '#plugins/auth/tables/passkey.js';
import { passwords } from '#plugins/auth/tables/password.js';
import { createUser } from '#plugins/auth/users/create.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { addedIdentity, signedIn, startedCode } from '#test/auth/support.js';
import { auditOf } from '#test/developers/key/support.js';
import type { TestAccount } from '#test/support/platform.js';

describe('An address that a server stored and its owner proves', () => {
  const test = useSignInMail();
  const { platform } = test;
  const email = 'ada@example.com';

  /** A user that a server stored, with a password of the former system, whom somebody has used since. */
  async function storedUser(
    { live }: TestAccount,
    verified: boolean,
  ): Promise<{ userId: string; accessToken: string }> {
    const { services } = platform.running;
    const userId = await services.transaction('Test', async (context) => {
      context.actIn(live);
      const made = await createUser(context, live, { identities: [{ ...emailIdentity(email), verified }] }, 'now');
      if (!('user' in made)) throw new Error('The address is taken.');
      return made.user.id;
    });
    const now = platform.clock.now();
    const owner = { environmentId: live.id, userId, createdAt: now };
    await services.database.insert(passwords, { ...owner, hash: '$argon2id$stored', byUser: false, updatedAt: now });
    await services.database.insert(factors, {
      ...owner,
      id: newId(),
      activeUserId: null,
      kind: 'totp',
      name: null,
      status: 'pending',
      secret: Buffer.alloc(20),
      lastStep: null,
      activatedAt: null,
    });
    await services.database.insert(passkeys, {
      ...owner,
      id: newId(),
      name: 'Theirs',
      credentialId: newId(),
      publicKey: Buffer.alloc(64),
      signCount: 0,
      transports: [],
      backedUp: false,
      aaguid: newId(),
      lastUsedAt: null,
    });
    const { accessToken } = await signedIn(platform, live, { email, methods: ['password'] });
    await addedIdentity(platform, live, userId, { email: 'intruder@example.com' });
    return { userId, accessToken };
  }
  const left = async (userId: string): Promise<Record<string, number>> => {
    const where = `user_id = 0x${userId.replaceAll('-', '')}`;
    return {
      passwords: await platform.count('auth_password', where),
      factors: await platform.count('auth_factor', where),
      passkeys: await platform.count('auth_passkey', where),
      identities: await platform.count('auth_identity', where),
      liveSessions: await platform.count('auth_session', `${where} AND ended_at IS NULL`),
    };
  };
  const prove = async (account: TestAccount) => {
    const challengeId = await startedCode(platform, account.live, { email });
    return test.app(account).envelope('auth.signin.verify', { challengeId, code: '271828' });
  };

  it('drops what anybody could have put there while nothing was proven, and ends the sessions', async () => {
    const account = await platform.account();
    const { userId, accessToken } = await storedUser(account, false);
    const { activityId, result } = await prove(account);
    expect(result.user).to.include({ id: userId, email, emailVerified: true });
    expect(await left(userId)).to.deep.equal({ passwords: 0, factors: 0, passkeys: 0, identities: 1, liveSessions: 1 });
    const events = (await platform.events(account.live)).filter((event) => event.activityId === activityId);
    expect(events.map(({ type }) => type)).to.deep.equal([
      'auth.identity.removed',
      'auth.password.removed',
      'auth.passkey.removed',
      'auth.factor.removed',
      'auth.session.revoked',
      'auth.user.updated',
      'auth.signin.completed',
    ]);
    const { changes } = await auditOf(platform, activityId);
    for (const ended of ['identities', 'password', 'passkeys', 'factors', 'session'])
      expect(changes).to.contain(`"${ended}`);
    const old = await test.app(account).refusal('auth.identity.add', { accessToken, email: 'more@example.com' });
    expect(old.code).to.equal('token_invalid');
  });

  it('keeps everything where the server had vouched for the address, and on the second proof', async () => {
    const account = await platform.account();
    const { userId } = await storedUser(account, true);
    await prove(account);
    expect(await left(userId)).to.deep.equal({ passwords: 1, factors: 1, passkeys: 1, identities: 2, liveSessions: 2 });
    const other = await platform.account();
    await storedUser(other, false);
    const { result } = await prove(other);
    await addedIdentity(platform, other.live, result.user?.id ?? '', { email: 'second@example.com' });
    await prove(other);
    expect(await left(result.user?.id ?? '')).to.include({ identities: 2, liveSessions: 2 });
  });
});
