import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { idBytes, newId } from '#core/runtime/id.js';
import { plugins } from '#plugins/all.gen.js';
import { auditOf } from '#test/developers/key/support.js';
import { signedIn } from '#test/auth/support.js';
import type { RawAnswer } from '#test/support/api.js';
import { minutes } from '#test/support/clock.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import { usePlatform } from '#test/support/platform.js';

/** What nobody may do for a user (the interface's list of operations that answer impersonation_forbidden). */
const forbidden = new Set([
  // Beyond docs/interface.md: whoever impersonates looks, and manages no organization.
  'auth.device.deny',
  'auth.org.create',
  'auth.org.update',
  'auth.org.invite.revoke',
  'auth.password.set',
  'auth.password.remove',
  'auth.passkey.register.start',
  'auth.passkey.register.verify',
  'auth.passkey.remove',
  'auth.oauth.start',
  'auth.session.revokeMine',
  'auth.me.update',
  'auth.me.delete',
  'auth.identity.add',
  'auth.identity.verify',
  'auth.identity.remove',
  'auth.identity.primary.set',
  'auth.factor.totp.enroll',
  'auth.factor.totp.activate',
  'auth.factor.remove',
  'auth.factor.recovery.regenerate',
  'auth.device.approve',
  'auth.org.delete',
  'auth.org.leave',
  'auth.org.member.update',
  'auth.org.member.remove',
  'auth.org.invite.create',
  'auth.org.invite.accept',
]);

describe('auth.user.impersonate', () => {
  const platform = usePlatform();
  const reason = 'Ticket 1815: the invoice page is empty.';

  it('opens a session as the user that says who is behind it, in its tokens, lists, events and audit record', async () => {
    const { svc, live, keys } = await platform.account();
    const { userId } = await signedIn(platform, live);
    const { activityId, result } = await svc.envelope('auth.user.impersonate', { userId, reason, seconds: 600 });
    const { key } = await svc.call('developers.key.current', {});
    const claims = decodeJwt(result.tokens.accessToken);
    expect(claims).to.deep.include({
      sub: userId,
      sid: result.sessionId,
      act: { sub: key?.id },
      amr: ['impersonation'],
    });
    expect(Date.parse(result.tokens.refreshTokenExpiresAt) - platform.clock.now().getTime()).to.equal(minutes(10));
    expect(Date.parse(result.tokens.accessTokenExpiresAt) - platform.clock.now().getTime()).to.equal(minutes(10));
    const asUser = { key: keys.live.publishable };
    const { accessToken } = result.tokens;
    const { sessions } = await svc.call('auth.session.mine', { accessToken }, asUser);
    expect(sessions[0]).to.include({ id: result.sessionId, impersonatedBy: key?.name, current: true });
    const record = await auditOf(platform, activityId);
    expect(record).to.include({ operation: 'auth.user.impersonate', subjectId: userId });
    expect(record.actor).to.equal(key?.name);
    expect(record.changes).to.contain(reason);
    const event = (await platform.events(live)).find(({ type }) => type === 'auth.user.impersonated');
    expect(event?.subjectId).to.equal(result.sessionId);
  });

  it('opens the app with a code, at an address of the app only', async () => {
    const { svc, live, keys } = await platform.account();
    const { userId } = await signedIn(platform, live);
    const redirectTo = 'https://app.example.com/callback?from=support';
    const refused = await svc.refusal('auth.user.impersonate', { userId, reason, redirectTo });
    expect(refused).to.include({ code: 'redirect_not_allowed' });
    await svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const opened = await svc.call('auth.user.impersonate', { userId, reason, redirectTo });
    const address = new URL(opened.redirectTo ?? '');
    expect(address.origin + address.pathname).to.equal('https://app.example.com/callback');
    const code = address.searchParams.get('svc_code') ?? '';
    const asApp = { key: keys.live.publishable };
    const { tokens } = await svc.call('auth.session.exchange', { code }, asApp);
    expect(decodeJwt(tokens.accessToken)).to.deep.include({
      sub: userId,
      sid: opened.sessionId,
      amr: ['impersonation'],
    });
    const write = await svc.refusal('auth.me.update', { accessToken: tokens.accessToken, name: 'Eve' }, asApp);
    expect(write).to.include({ code: 'impersonation_forbidden' });
    const again = await svc.refusal('auth.session.refresh', { refreshToken: tokens.refreshToken }, asApp);
    expect(again).to.include({ code: 'session_impersonated' });
    expect((await svc.refusal('auth.session.exchange', { code }, asApp)).code).to.equal('code_used');
  });

  it('cannot be refreshed, signs out, and ends after thirty minutes at most', async () => {
    const { svc, live, keys } = await platform.account();
    const asUser = { key: keys.live.publishable };
    const { userId } = await signedIn(platform, live);
    const { tokens } = await svc.call('auth.user.impersonate', { userId, reason });
    const { refreshToken, accessToken } = tokens;
    const refused = await svc.refusal('auth.session.refresh', { refreshToken }, asUser);
    expect(refused).to.include({ status: 401, code: 'session_impersonated' });
    expect((await svc.call('auth.session.verify', { accessToken })).valid).to.equal(true);
    expect(await svc.call('auth.session.signout', { refreshToken }, asUser)).to.deep.equal({ ended: true });
    expect((await svc.call('auth.session.verify', { accessToken })).reason).to.equal('session_ended');

    await svc.call('auth.settings.set', { accessTokenSeconds: 3600 });
    const longest = (await svc.call('auth.user.impersonate', { userId, reason })).tokens;
    platform.clock.advance(minutes(30));
    expect((await svc.call('auth.session.verify', { accessToken: longest.accessToken })).valid).to.equal(false);
    for (const input of [{ seconds: 59 }, { seconds: 1801 }, { reason: 'no' }])
      expect((await svc.refusal('auth.user.impersonate', { userId, reason, ...input })).code).to.equal('invalid_input');
  });

  it('is refused for banned and unknown users, and if the environment has turned it off', async () => {
    const { svc, live } = await platform.account();
    const { userId } = await signedIn(platform, live);
    expect((await svc.refusal('auth.user.impersonate', { userId: newId(), reason })).code).to.equal('not_found');
    await svc.call('auth.settings.set', { impersonation: { enabled: false } });
    expect(await svc.refusal('auth.user.impersonate', { userId, reason })).to.include({
      status: 403,
      code: 'feature_disabled',
    });
    await svc.call('auth.settings.set', { impersonation: { enabled: true } });
    await platform.running.services.database.run('UPDATE auth_user SET banned_at = ? WHERE id = ?', [
      platform.clock.now(),
      idBytes(userId),
    ]);
    expect((await svc.refusal('auth.user.impersonate', { userId, reason })).code).to.equal('user_banned');
  });

  it('waits for a ban that is being written, and is refused then', async () => {
    const { svc, live } = await platform.account();
    const { userId } = await signedIn(platform, live);
    const started: Promise<RawAnswer>[] = [];
    await platform.running.services.database.transaction(async (db) => {
      await db.run('UPDATE auth_user SET banned_at = ? WHERE id = ?', [platform.clock.now(), idBytes(userId)]);
      started.push(svc.raw('/auth/user/impersonate', JSON.stringify({ userId, reason })));
      await untilWaiting(platform, 1, 'the call to wait for the ban');
    });
    for (const { text } of await Promise.all(started)) expect(text).to.contain('user_banned');
    expect((await svc.call('auth.session.list', { userId })).sessions).to.have.length(1);
  });

  it('may look where a second factor is required, and change nothing about how the user signs in', async () => {
    const { svc, live, keys } = await platform.account();
    const asUser = { key: keys.live.publishable };
    const { userId } = await signedIn(platform, live);
    await svc.call('auth.settings.set', { mfa: { required: true } });
    const { accessToken } = (await svc.call('auth.user.impersonate', { userId, reason })).tokens;
    expect((await svc.call('auth.session.mine', { accessToken }, asUser)).sessions).to.have.length(2);
    const refused = await svc.refusal('auth.session.revokeMine', { accessToken, allOthers: true }, asUser);
    expect(refused).to.include({ status: 403, code: 'impersonation_forbidden' });
    const device = await svc.call('auth.device.start', { clientName: 'TV' }, asUser);
    const approval = { accessToken, userCode: device.userCode };
    expect((await svc.refusal('auth.device.approve', approval, asUser)).code).to.equal('impersonation_forbidden');
  });

  it('is refused by every operation that changes how the user signs in, whatever it is asked', async () => {
    const { svc, live, keys } = await platform.account();
    const { userId } = await signedIn(platform, live);
    const { accessToken } = (await svc.call('auth.user.impersonate', { userId, reason })).tokens;
    const closed = operations.filter(({ access, name }) => access === 'user' && forbidden.has(name));
    for (const { name, example } of closed) {
      const refused = await svc.refusal(name, { ...example.input, accessToken }, { key: keys.live.publishable });
      expect(refused, name).to.include({ status: 403, code: 'impersonation_forbidden' });
      expect(refused.fix).to.contain(name);
    }
  });

  const operations = plugins.flatMap((plugin) => [...plugin.operations]).filter(({ product }) => product === 'auth');
  for (const { name, errors, needs } of operations.filter(
    ({ access }) => access === 'user' || access === 'publishable',
  ))
    it(`${name} is ${forbidden.has(name) ? 'closed' : 'open'} to impersonated sessions`, () => {
      const declared: readonly string[] = errors;
      const isClosed = needs?.notImpersonated === true || declared.includes('impersonation_forbidden');
      expect(isClosed).to.equal(forbidden.has(name));
    });
});
