import { expect } from 'chai';
import { sessions } from '#plugins/auth/tables/session.js';
import { eventsOf } from '#test/audience/support.js';
import { signedIn } from '#test/auth/support.js';
import { minutes, seconds } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { appOf, mfaTokenOf, passFirstFactor, publishableApi, userWithTotp } from './support.js';

describe('auth.factor.totp.activate', () => {
  const platform = usePlatform();

  it('activates with the first code, shows ten recovery codes, and the session counts as two-step at once', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken, userId, sessionId } = await signedIn(platform, account.live);
    const { factorId, secret } = await api.call('auth.factor.totp.enroll', { accessToken });
    expect((await passFirstFactor(platform, account.live, userId)).status).to.equal('complete');
    const code = appOf(platform, secret).code();
    const { factor, recoveryCodes } = await api.call('auth.factor.totp.activate', { accessToken, factorId, code });
    expect(factor).to.include({ id: factorId, status: 'active', activatedAt: platform.clock.now().toISOString() });
    expect(new Set(recoveryCodes)).to.have.property('size', 10);
    for (const each of recoveryCodes ?? []) expect(each).to.match(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect((await passFirstFactor(platform, account.live, userId)).status).to.equal('mfa_required');
    // Needs a session with a second factor:
    await api.call('auth.factor.recovery.regenerate', { accessToken });
    const events = await eventsOf(platform, account.live, 'auth.factor.activated');
    expect(events.map(({ data, personId }) => ({ data, personId }))).to.deep.equal([
      { data: { userId, factor }, personId: userId },
    ]);
    const session = await platform.running.services.database.findOne(sessions, { id: sessionId });
    expect([session?.mfa, session?.methods]).to.deep.equal([true, ['code', 'totp']]);
  });

  it('ends the other sessions, which passed one factor alone, if asked to', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken: other } = await signedIn(platform, account.live);
    const { accessToken } = await signedIn(platform, account.live);
    const { factorId, secret } = await api.call('auth.factor.totp.enroll', { accessToken });
    const input = { accessToken, factorId, code: appOf(platform, secret).code(), endOtherSessions: true };
    expect((await api.call('auth.factor.totp.activate', input)).endedSessions).to.equal(1);
    expect((await api.refusal('auth.me.get', { accessToken: other })).code).to.equal('token_invalid');
    expect((await api.call('auth.me.get', { accessToken })).factors).to.have.length(1);
  });

  it('refuses a wrong code, and one of a minute ago', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken } = await signedIn(platform, account.live);
    const { factorId, secret } = await api.call('auth.factor.totp.enroll', { accessToken });
    const app = appOf(platform, secret);
    const old = app.code();
    platform.clock.advance(seconds(60));
    for (const code of ['000000', old, 'abc'])
      expect(await api.refusal('auth.factor.totp.activate', { accessToken, factorId, code })).to.include({
        status: 400,
        code: 'wrong_code',
      });
    await api.call('auth.factor.totp.activate', { accessToken, factorId, code: app.code() });
  });

  it('answers challenge_used where the factor is active, and not_found for the factor of somebody else', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user, app, factorId } = await userWithTotp(platform, account);
    const { accessToken } = user;
    expect(await api.refusal('auth.factor.totp.activate', { accessToken, factorId, code: app.code() })).to.include({
      status: 409,
      code: 'challenge_used',
    });
    const bob = await signedIn(platform, account.live, { email: 'bob@example.com' });
    const his = await api.call('auth.factor.totp.enroll', { accessToken: bob.accessToken });
    const code = appOf(platform, his.secret).code();
    expect(await api.refusal('auth.factor.totp.activate', { accessToken, factorId: his.factorId, code })).to.include({
      status: 404,
      code: 'not_found',
    });
  });

  it('uses its code up: a sign-in does not take it again', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken, userId } = await signedIn(platform, account.live);
    const { factorId, secret } = await api.call('auth.factor.totp.enroll', { accessToken });
    const code = appOf(platform, secret).code();
    await api.call('auth.factor.totp.activate', { accessToken, factorId, code });
    const mfaToken = await mfaTokenOf(platform, account.live, userId);
    expect(await api.refusal('auth.mfa.verify', { mfaToken, code })).to.include({ code: 'wrong_code' });
  });

  it('replaces an active factor: the new app’s codes count, the old one’s no longer, recovery codes stay', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user, app: before, recoveryCodes, factorId: old } = await userWithTotp(platform, account);
    const { accessToken, userId } = user;
    const { factorId, secret } = await api.call('auth.factor.totp.enroll', { accessToken });
    const app = appOf(platform, secret);
    const replaced = await api.call('auth.factor.totp.activate', { accessToken, factorId, code: app.code() });
    expect(replaced.recoveryCodes).to.equal(null);
    const { factors, recoveryCodesLeft } = await api.call('auth.factor.list', { accessToken });
    expect([factors.map(({ id }) => id), recoveryCodesLeft]).to.deep.equal([[factorId], 10]);
    expect(factorId).to.not.equal(old);
    platform.clock.advance(seconds(30));
    const mfaToken = await mfaTokenOf(platform, account.live, userId);
    expect(await api.refusal('auth.mfa.verify', { mfaToken, code: before.code() })).to.include({ code: 'wrong_code' });
    await api.call('auth.mfa.verify', { mfaToken, code: app.code() });
    const again = await mfaTokenOf(platform, account.live, userId);
    await api.call('auth.mfa.recover', { mfaToken: again, recoveryCode: recoveryCodes[0] ?? '' });
    const events = await eventsOf(platform, account.live, 'auth.factor.');
    expect(events.map(({ type }) => type)).to.deep.equal(['auth.factor.activated', 'auth.factor.replaced']);
  });

  it('brings new recovery codes where the replaced factor had none left', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user } = await userWithTotp(platform, account);
    const { accessToken } = user;
    await platform.running.services.database.run('UPDATE auth_recovery_code SET used_at = NOW(3)');
    const { factorId, secret } = await api.call('auth.factor.totp.enroll', { accessToken });
    const code = appOf(platform, secret).code();
    expect((await api.call('auth.factor.totp.activate', { accessToken, factorId, code })).recoveryCodes).to.have.length(
      10,
    );
  });

  it('needs a session with a second factor where another factor became active meanwhile', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const [mine, other] = [await signedIn(platform, account.live), await signedIn(platform, account.live)];
    const first = await api.call('auth.factor.totp.enroll', { accessToken: mine.accessToken });
    const code = appOf(platform, first.secret).code();
    await api.call('auth.factor.totp.activate', { accessToken: mine.accessToken, factorId: first.factorId, code });
    const second = await api.call('auth.factor.totp.enroll', { accessToken: mine.accessToken });
    const refused = await api.refusal('auth.factor.totp.activate', {
      accessToken: other.accessToken,
      factorId: second.factorId,
      code: appOf(platform, second.secret).code(),
    });
    expect(refused).to.include({ status: 403, code: 'mfa_required' });
  });

  it('activates once, however many calls pass the same code', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken } = await signedIn(platform, account.live);
    const { factorId, secret } = await api.call('auth.factor.totp.enroll', { accessToken });
    const body = JSON.stringify({ accessToken, factorId, code: appOf(platform, secret).code() });
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.raw('/auth/factor/totp/activate', body)));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    const { recoveryCodesLeft } = await api.call('auth.factor.list', { accessToken });
    expect(recoveryCodesLeft).to.equal(10);
  });

  it('is limited to ten in ten minutes per user', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken } = await signedIn(platform, account.live);
    const { factorId, secret } = await api.call('auth.factor.totp.enroll', { accessToken });
    const input = { accessToken, factorId, code: '000000' };
    for (let left = 9; left >= 0; left -= 1) {
      const { code, details, fix } = await api.refusal('auth.factor.totp.activate', input);
      expect({ code, details }).to.deep.equal({ code: 'wrong_code', details: { attemptsLeft: left } });
      expect(fix).to.contain(left === 0 ? 'in ten minutes' : 'the app shows now');
    }
    const code = appOf(platform, secret).code();
    expect(await api.refusal('auth.factor.totp.activate', { ...input, code })).to.include({ code: 'rate_limited' });
    platform.clock.advance(minutes(10));
    const later = appOf(platform, secret).code();
    await api.call('auth.factor.totp.activate', { ...input, code: later });
  });
});
