import { expect } from 'chai';
import { sessions } from '#plugins/auth/tables/session.js';
import { passwords } from '#plugins/auth/tables/password.js';
import { signedIn } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { asApp, password, storedHash, userWithPassword } from './support.js';

const other = 'another long secret phrase';

describe('auth.password.set', () => {
  const platform = usePlatform();
  const setup = async () => {
    const account = await platform.account();
    return { account, app: asApp(platform, account) };
  };

  it('sets a first password, with which the user signs in from then on', async () => {
    const { account, app } = await setup();
    const { accessToken, userId } = await signedIn(platform, account.live);
    const { user, endedSessions } = await app.call('auth.password.set', { accessToken, password });
    expect({ id: user.id, endedSessions }).to.deep.equal({ id: userId, endedSessions: 0 });
    const { status } = await app.call('auth.password.signin', { email: 'ada@example.com', password });
    expect(status).to.equal('complete');
    const types = (await platform.events(account.live)).map(({ type }) => type);
    expect(types).to.include('auth.password.set').and.not.include('auth.password.changed');
    expect(await platform.running.services.database.findOne(passwords, { userId })).to.include({ byUser: true });
  });

  it('sets a first password only after a recent sign-in: else a stolen token would become a lasting credential', async () => {
    const { account, app } = await setup();
    const { accessToken, userId } = await signedIn(platform, account.live);
    platform.clock.advance(minutes(11));
    for (const input of [{ password }, { password, currentPassword: 'anything at all' }]) {
      const refused = await app.refusal('auth.password.set', { accessToken, ...input });
      expect(refused).to.include({ code: 'reauth_required', status: 403 });
    }
    expect(await storedHash(platform, userId)).to.equal(undefined);
  });

  it('changes it with the current one, and ends the other sessions', async () => {
    const { account, app } = await setup();
    const userId = await userWithPassword(platform, account.live);
    const phone = await signedIn(platform, account.live);
    const { accessToken, sessionId } = await signedIn(platform, account.live);
    platform.clock.advance(minutes(11));
    const input = { accessToken, password: other };
    expect(await app.refusal('auth.password.set', input)).to.include({ code: 'reauth_required', status: 403 });
    expect(await app.refusal('auth.password.set', { ...input, currentPassword: 'wrong' })).to.include({
      code: 'invalid_credentials',
    });
    const { activityId, result } = await app.envelope('auth.password.set', { ...input, currentPassword: password });
    expect(result.endedSessions).to.equal(1);
    const { activity } = await account.svc.call('account.activity.get', { activityId });
    expect(activity.changes.map(({ field }) => field)).to.deep.equal(['password', `session ${phone.sessionId}`]);
    const rows = await platform.running.services.database.find(sessions, { userId });
    expect(new Map(rows.map(({ id, endReason }) => [id, endReason]))).to.deep.equal(
      new Map([
        [phone.sessionId, 'password_changed'],
        [sessionId, null],
      ]),
    );
    const types = (await platform.events(account.live)).map(({ type }) => type);
    expect(types).to.include.members(['auth.password.changed', 'auth.session.revoked']);
    await app.refusal('auth.password.signin', { email: 'ada@example.com', password });
    await app.call('auth.password.signin', { email: 'ada@example.com', password: other });
  });

  it('changes it after a recent sign-in without the current one, and keeps the other sessions where asked', async () => {
    const { account, app } = await setup();
    await userWithPassword(platform, account.live);
    await signedIn(platform, account.live);
    const { accessToken } = await signedIn(platform, account.live);
    const input = { accessToken, password: other, keepOtherSessions: true };
    expect((await app.call('auth.password.set', input)).endedSessions).to.equal(0);
  });

  it('takes a current password that another call changed meanwhile for a wrong one', async () => {
    const { account, app } = await setup();
    await userWithPassword(platform, account.live);
    const { accessToken } = await signedIn(platform, account.live);
    platform.clock.advance(minutes(11));
    const change = (to: string) =>
      app.raw('/auth/password/set', JSON.stringify({ accessToken, password: to, currentPassword: password }));
    const answers = await Promise.all(
      ['first new passphrase', 'second new passphrase', 'third new passphrase'].map(change),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 401, 401]);
  });

  it('refuses passwords that are too short or too long, in code points of their normal form', async () => {
    const { account, app } = await setup();
    await account.svc.call('auth.settings.set', { password: { minLength: 10 } });
    const { accessToken } = await signedIn(platform, account.live);
    const refused = async (text: string): Promise<string> =>
      (await app.refusal('auth.password.set', { accessToken, password: text })).code;
    expect(await refused('xK9$wQ2!a')).to.equal('password_too_short');
    // Ten UTF-16 units, five code points; and ten code points that compose to nine letters.
    expect(await refused('🦊🐙🦊🐙🦊')).to.equal('password_too_short');
    expect(await refused('xK9$wQ2!e\u0301')).to.equal('password_too_short');
    expect(await refused('')).to.equal('password_too_short');
    for (const length of [257, 5_000]) expect(await refused('x'.repeat(length))).to.equal('password_too_long');
    await app.call('auth.password.set', { accessToken, password: '🦊🐙'.repeat(5) });
    await app.call('auth.password.set', { accessToken, password: 'xK9$'.repeat(64) });
  });

  it('is counted: ten an hour for each user', async () => {
    const { account, app } = await setup();
    await userWithPassword(platform, account.live);
    const { accessToken } = await signedIn(platform, account.live);
    const guess = () => app.refusal('auth.password.set', { accessToken, password: other, currentPassword: 'guess' });
    const codes = (await Promise.all(Array.from({ length: 14 }, guess))).map(({ code }) => code);
    expect(codes.filter((code) => code === 'invalid_credentials')).to.have.length(10);
    expect(codes.filter((code) => code === 'rate_limited')).to.have.length(4);
  });

  it('is refused where passwords are turned off, and to somebody who impersonates the user', async () => {
    const { account, app } = await setup();
    const { accessToken, sessionId, userId } = await signedIn(platform, account.live);
    const input = { accessToken, password };
    await account.svc.call('auth.settings.set', { methods: { password: { enabled: false } } });
    expect(await app.refusal('auth.password.set', input)).to.include({ code: 'method_disabled' });
    await account.svc.call('auth.settings.set', { methods: { password: { enabled: true } } });
    const impersonation = { impersonatorId: account.memberId, impersonatorLabel: 'Support' };
    await platform.running.services.database.update(sessions, { id: sessionId }, impersonation);
    expect(await app.refusal('auth.password.set', input)).to.include({ code: 'impersonation_forbidden' });
    expect(await storedHash(platform, userId)).to.equal(undefined);
  });
});
