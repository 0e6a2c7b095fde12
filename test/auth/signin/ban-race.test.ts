import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { mfaTokenOf, publishableApi, userWithTotp } from '#test/auth/factor/support.js';
import { accountWith, browserOf, useOidc } from '#test/auth/oauth/support.js';
import { answerOf, userWithPasskey } from '#test/auth/passkey/support.js';
import { password, userWithPassword } from '#test/auth/password/support.js';
import { signedIn, startedCode, startedLink, userOf } from '#test/auth/support.js';
import type { OperationName } from '#test/support/api.js';
import { deadlocks } from '#test/support/lock-waits.js';
import type { TestAccount } from '#test/support/platform.js';
import { startCall, type RunningCall } from '#test/support/running-call.js';
import { useStatementGate } from '#test/support/statement-gate.js';

/** A user, and the last call of a sign-in of theirs. */
interface SignIn {
  userId: string;
  operation: OperationName;
  input: object;
  /** Whose key calls. */
  by?: 'server';
  /** What the call answers once the user is deleted; 'complete' where the proven address signs a new user up. */
  deleted: string;
}

describe('A sign-in at the same time as a ban or a deletion', () => {
  const statements = useStatementGate();
  // Without workers, which would remove the sessions of deleted users in the end.
  const env = useOidc({ settings: () => ({ SVC_ROLE: 'api' }), databaseUrl: statements.databaseUrl });
  const { platform } = env;

  const ways: Readonly<Record<string, (account: TestAccount) => Promise<SignIn>>> = {
    'a code': async ({ test }) => ({
      userId: (await signedIn(platform, test)).userId,
      operation: 'auth.signin.verify',
      input: { challengeId: await startedCode(platform, test), code: '271828' },
      deleted: 'complete',
    }),
    'a link': async ({ test }) => ({
      userId: (await signedIn(platform, test)).userId,
      operation: 'auth.link.complete',
      input: { token: await startedLink(platform, test) },
      deleted: 'complete',
    }),
    'a password': async ({ test }) => {
      await signedIn(platform, test);
      return {
        userId: await userWithPassword(platform, test),
        operation: 'auth.password.signin',
        input: { email: 'ada@example.com', password },
        deleted: 'invalid_credentials',
      };
    },
    'a provider': async (account) => {
      env.oidc.person = { sub: 'ada', claims: { email: 'ada@example.com', email_verified: true } };
      const browser = browserOf(platform, account);
      await browser.signIn();
      return {
        userId: await userOf(platform, account.test),
        operation: 'auth.oauth.complete',
        input: await browser.arrive(),
        deleted: 'complete',
      };
    },
    'a passkey': async (account) => {
      const { user, authenticator } = await userWithPasskey(platform, account, 'ada@example.com', 'test');
      return {
        userId: user.userId,
        operation: 'auth.passkey.signin.verify',
        input: await answerOf(publishableApi(platform, account, 'test'), authenticator),
        deleted: 'passkey_rejected',
      };
    },
    'a code of an app': async (account) => {
      const { user, app } = await userWithTotp(platform, account, 'ada@example.com', 'test');
      return {
        userId: user.userId,
        operation: 'auth.mfa.verify',
        input: { mfaToken: await mfaTokenOf(platform, account.test, user.userId), code: app.code() },
        deleted: 'mfa_token_invalid',
      };
    },
    'a recovery code': async (account) => {
      const { user, recoveryCodes } = await userWithTotp(platform, account, 'ada@example.com', 'test');
      const mfaToken = await mfaTokenOf(platform, account.test, user.userId);
      return {
        userId: user.userId,
        operation: 'auth.mfa.recover',
        input: { mfaToken, recoveryCode: recoveryCodes[0] },
        deleted: 'mfa_token_invalid',
      };
    },
    'an approved device': async (account) => {
      const api = publishableApi(platform, account, 'test');
      const { userId, accessToken } = await signedIn(platform, account.test);
      const { userCode, deviceCode } = await api.call('auth.device.start', { clientName: 'TV' });
      await api.call('auth.device.approve', { accessToken, userCode });
      return { userId, operation: 'auth.device.poll', input: { deviceCode }, deleted: 'device_denied' };
    },
    impersonation: async ({ test }) => {
      const { userId } = await signedIn(platform, test);
      const input = { userId, reason: 'Ticket 1815.' };
      return { userId, operation: 'auth.user.impersonate', input, by: 'server', deleted: 'not_found' };
    },
  };

  const started = ({ keys }: TestAccount, operation: OperationName, input: object, by = 'app'): RunningCall =>
    startCall(platform, operation, input, by === 'server' ? keys.test.secret : keys.test.publishable);

  const liveSessions = (userId: string): Promise<number> =>
    platform.count('auth_session', `ended_at IS NULL AND user_id = x'${idBytes(userId).toString('hex')}'`);

  for (const [name, prepare] of Object.entries(ways)) {
    for (const operation of ['auth.user.ban', 'auth.user.delete'] as const)
      it(`with ${name} leaves no session when ${operation} comes before the session is stored`, async () => {
        const account = await accountWith(platform, env.oidc);
        const way = await prepare(account);
        const gate = statements.hold('INSERT INTO `auth_session`');
        const signIn = started(account, way.operation, way.input, way.by);
        await gate.reached(1);
        const end = started(account, operation, { userId: way.userId }, 'server');
        await end.untilStopped(`${operation} to end, or to wait for the sign-in`);
        gate.open();
        expect((await end.answer).status).to.equal(200);
        await signIn.answer;
        expect(await liveSessions(way.userId)).to.equal(0);
      });

    for (const [operation, sql] of [
      ['auth.user.ban', 'SET ended_at'],
      ['auth.user.delete', 'DELETE FROM auth_user '],
    ] as const)
      it(`with ${name} hears of ${operation} that began before it`, async () => {
        const account = await accountWith(platform, env.oidc);
        const way = await prepare(account);
        const before = await deadlocks(platform);
        const gate = statements.hold(sql);
        const end = started(account, operation, { userId: way.userId }, 'server');
        await gate.reached(1);
        const signIn = started(account, way.operation, way.input, way.by);
        await signIn.untilStopped('the sign-in to end, or to wait for the other call');
        gate.open();
        expect((await end.answer).status).to.equal(200);
        expect(await signIn.code()).to.equal(operation === 'auth.user.ban' ? 'user_banned' : way.deleted);
        expect(await liveSessions(way.userId)).to.equal(0);
        expect(await deadlocks(platform)).to.equal(before);
      });
  }

  it('adds no account of a provider to a user whose deletion began before', async () => {
    const account = await accountWith(platform, env.oidc);
    env.oidc.person = { sub: 'late', claims: {} };
    const { accessToken, userId } = await signedIn(platform, account.test);
    const arrival = await browserOf(platform, account).arrive({ accessToken });
    const gate = statements.hold('DELETE FROM auth_user ');
    const end = started(account, 'auth.user.delete', { userId }, 'server');
    await gate.reached(1);
    const adding = started(account, 'auth.oauth.complete', arrival);
    await adding.untilStopped('the completion to end, or to wait for the deletion');
    gate.open();
    expect((await end.answer).status).to.equal(200);
    expect(await adding.code()).to.equal('challenge_expired');
    expect(await platform.count('auth_identity', "identity_key LIKE '%:late'")).to.equal(0);
  });
});
