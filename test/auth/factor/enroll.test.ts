import { expect } from 'chai';
import { factors } from '#plugins/auth/tables/factor.js';
import { lockUser } from '#plugins/auth/users/find.js';
import { auditOf } from '#test/audience/support.js';
import { signedIn } from '#test/auth/support.js';
import { hours, minutes } from '#test/support/clock.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import { usePlatform } from '#test/support/platform.js';
import { appOf, publishableApi, userWithTotp } from './support.js';

describe('auth.factor.totp.enroll', () => {
  const platform = usePlatform();

  it('answers secret, address and QR code of a pending factor, which no sign-in asks for', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken, userId } = await signedIn(platform, account.live);
    const { activityId, result } = await api.envelope('auth.factor.totp.enroll', { accessToken, name: 'Phone' });
    expect(result.secret).to.match(/^[A-Z2-7]{32}$/);
    const url = new URL(result.otpauthUrl);
    expect(Object.fromEntries(url.searchParams)).to.deep.equal({
      issuer: (await account.svc.call('account.get', {})).projects[0]?.name,
      secret: result.secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    expect(decodeURIComponent(url.pathname)).to.match(/:ada@example\.com$/);
    expect(result.qrSvg).to.match(/^<svg role="img" aria-label=/);
    const { factors: listed, recoveryCodesLeft } = await api.call('auth.factor.list', { accessToken });
    expect(listed).to.have.length(1);
    expect(listed[0]).to.deep.include({ id: result.factorId, status: 'pending', name: 'Phone', activatedAt: null });
    expect(recoveryCodesLeft).to.equal(0);
    const audit = await auditOf(platform, activityId);
    expect(audit).to.deep.include({ subject: `user ${userId}`, personId: userId });
    expect(JSON.stringify(audit)).to.not.include(result.secret);
  });

  it('seals the secret, and keeps no readable copy of it', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken } = await signedIn(platform, account.live);
    const options = { idempotencyKey: 'enrol-1' };
    const { secret, factorId } = await api.call('auth.factor.totp.enroll', { accessToken }, options);
    const { database } = platform.running.services;
    const row = await database.findOne(factors, { id: factorId });
    expect(row?.secret.includes(Buffer.from(secret))).to.be.false;
    const stored = await database.rows<{ answer: Buffer }>('SELECT * FROM svc_idempotency');
    expect(JSON.stringify(stored)).to.not.include(secret);
    expect((await api.call('auth.factor.totp.enroll', { accessToken }, options)).secret).to.equal(secret);
  });

  it('discards a pending factor that was enrolled before', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken } = await signedIn(platform, account.live);
    const first = await api.call('auth.factor.totp.enroll', { accessToken });
    const second = await api.call('auth.factor.totp.enroll', { accessToken });
    const { factors: listed } = await api.call('auth.factor.list', { accessToken });
    expect(listed.map(({ id }) => id)).to.deep.equal([second.factorId]);
    const code = appOf(platform, first.secret).code();
    const refused = await api.refusal('auth.factor.totp.activate', { accessToken, factorId: first.factorId, code });
    expect(refused).to.include({ status: 404, code: 'not_found' });
  });

  it('leaves one pending factor of two enrolments at the same time', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken, userId } = await signedIn(platform, account.live);
    const enrolling: Promise<{ factorId: string }>[] = [];
    await platform.running.services.database.transaction(async (db) => {
      await lockUser(db, account.live.id, userId);
      for (let n = 0; n < 2; n += 1) enrolling.push(api.call('auth.factor.totp.enroll', { accessToken }));
      await untilWaiting(platform, 2, 'both to wait for the user');
    });
    const made = (await Promise.all(enrolling)).map(({ factorId }) => factorId);
    const { factors: listed } = await api.call('auth.factor.list', { accessToken });
    expect(listed).to.have.length(1);
    expect(made).to.include(listed[0]?.id);
  });

  it('needs a recent sign-in, also right after ten minutes', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken } = await signedIn(platform, account.live);
    platform.clock.advance(minutes(10));
    expect(await api.refusal('auth.factor.totp.enroll', { accessToken })).to.include({
      status: 403,
      code: 'reauth_required',
    });
  });

  it('needs a session with a second factor where a factor is active', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user } = await userWithTotp(platform, account);
    const oneFactor = await signedIn(platform, account.live);
    const refused = await api.refusal('auth.factor.totp.enroll', { accessToken: oneFactor.accessToken });
    expect(refused).to.include({ status: 403, code: 'mfa_required' });
    await api.call('auth.factor.totp.enroll', { accessToken: user.accessToken });
  });

  it('is limited to ten an hour per user', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken } = await signedIn(platform, account.live);
    for (let n = 0; n < 10; n += 1) await api.call('auth.factor.totp.enroll', { accessToken });
    expect(await api.refusal('auth.factor.totp.enroll', { accessToken })).to.include({ code: 'rate_limited' });
    const bob = await signedIn(platform, account.live, { email: 'bob@example.com' });
    await api.call('auth.factor.totp.enroll', { accessToken: bob.accessToken });
    platform.clock.advance(hours(1));
    const again = await signedIn(platform, account.live);
    await api.call('auth.factor.totp.enroll', { accessToken: again.accessToken });
  });
});
