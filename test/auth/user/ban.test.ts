import { expect } from 'chai';
import { auditOf, eventsOf } from '#test/audience/support.js';
import { person } from '#test/auth/people.js';
import { signedIn } from '#test/auth/support.js';
import { hours, minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';

describe('auth.user.ban and auth.user.unban', () => {
  const platform = usePlatform();
  const inHours = (n: number): string => new Date(platform.clock.now().getTime() + hours(n)).toISOString();

  it('ends every session, whose tokens stop at once', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const ada = await person(platform, account, 'ada');
    await signedIn(platform, live);
    const bob = await person(platform, account, 'bob');
    const { user, endedSessions } = await svc.call('auth.user.ban', { userId: ada.userId, reason: 'Card testing.' });
    expect(endedSessions).to.equal(2);
    expect(user.bannedAt).to.equal(platform.clock.now().toISOString());
    expect((await ada.refusal('auth.me.get', {})).code).to.equal('token_invalid');
    const key = account.keys.live.publishable;
    const refresh = await platform.api.refusal('auth.session.refresh', { refreshToken: ada.refreshToken }, { key });
    expect(refresh.code).to.equal('user_banned');
    expect((await bob.call('auth.me.get', {})).user.bannedAt).to.equal(null);
    const events = await eventsOf(platform, live, 'auth.');
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === 'auth.session.revoked')).to.have.length(2);
    expect(types.filter((type) => type === 'auth.user.banned')).to.have.length(1);
    expect(JSON.stringify(events)).not.to.contain('Card testing');
  });

  it('answers a repeat as done: no event, nothing ended', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const { userId } = await person(platform, account, 'ada');
    const input = { userId, reason: 'Spam.', until: inHours(1) };
    const first = await svc.call('auth.user.ban', input);
    platform.clock.advance(minutes(1));
    const again = await svc.envelope('auth.user.ban', input);
    expect(again.result).to.deep.equal({ user: first.user, endedSessions: 0 });
    expect((await auditOf(platform, again.activityId)).summary).to.match(/^Nothing changed: /);
    expect(await eventsOf(platform, live, 'auth.user.banned')).to.have.length(1);
    // After its end, the repeat of the same ban is still the same ban.
    platform.clock.advance(hours(2));
    expect((await svc.call('auth.user.ban', input)).user.bannedAt).to.equal(null);
  });

  it('replaces reason and end when they differ', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const { userId } = await person(platform, account, 'ada');
    const first = await svc.call('auth.user.ban', { userId, until: inHours(1) });
    const { user } = await svc.call('auth.user.ban', { userId });
    expect(user).to.include({ bannedAt: first.user.bannedAt, bannedUntil: null });
    expect(await eventsOf(platform, live, 'auth.user.banned')).to.have.length(2);
  });

  it('keeps its reason when it is changed without one, and shows it to secret keys alone', async () => {
    const account = await platform.account();
    const { svc } = account;
    const ada = await person(platform, account, 'ada');
    const { userId } = ada;
    const reasonOf = async (): Promise<unknown> => (await svc.call('auth.user.get', { userId })).user.banReason;
    expect(await reasonOf()).to.equal(null);
    await svc.call('auth.user.ban', { userId, reason: 'Spam.' });
    const { user } = await svc.call('auth.user.ban', { userId, until: inHours(1) });
    expect(user).to.include({ banReason: 'Spam.', bannedUntil: inHours(1) });
    expect(await reasonOf()).to.equal('Spam.');
    await svc.call('auth.user.ban', { userId, reason: 'Card testing.' });
    expect(await reasonOf()).to.equal('Card testing.');
    await svc.call('auth.user.unban', { userId });
    expect(await reasonOf()).to.equal(null);
    // The reason of a ban that has ended is not that of the next one.
    await svc.call('auth.user.ban', { userId, reason: 'Spam.', until: inHours(1) });
    platform.clock.advance(hours(2));
    await svc.call('auth.user.ban', { userId });
    expect(await reasonOf()).to.equal(null);
  });

  it('ends by itself: the user shows no ban, can sign in, and is not listed as banned', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const { userId } = await person(platform, account, 'ada');
    await svc.call('auth.user.ban', { userId, until: inHours(1) });
    expect((await svc.call('auth.user.list', { banned: true })).users).to.have.length(1);
    // A session that a sign-in opened while the ban was being written: the ban is looked at on every call.
    const late = await person(platform, account, 'ada');
    expect((await late.refusal('auth.me.get', {})).code).to.equal('user_banned');
    const { accessToken } = late;
    const { valid, reason } = await account.svc.call('auth.session.verify', { accessToken });
    expect({ valid, reason }).to.deep.equal({ valid: false, reason: 'user_banned' });
    platform.clock.advance(hours(1));
    const back = await person(platform, account, 'ada');
    expect((await back.call('auth.me.get', {})).user).to.include({ bannedAt: null, bannedUntil: null });
    expect((await svc.call('auth.user.list', { banned: true })).users).to.deep.equal([]);
    expect((await svc.call('auth.user.list', { banned: false })).users).to.have.length(1);
    // Lifting what has ended changes nothing.
    await svc.call('auth.user.unban', { userId });
    expect(await eventsOf(platform, live, 'auth.user.unbanned')).to.deep.equal([]);
  });

  it('refuses an end in the past', async () => {
    const account = await platform.account();
    const { userId } = await person(platform, account, 'ada');
    const refused = await account.svc.refusal('auth.user.ban', { userId, until: inHours(-1) });
    expect(refused.details).to.deep.equal({ field: 'until' });
    const until = '9999-12-31T23:59:59-01:00';
    expect(await account.svc.refusal('auth.user.ban', { userId, until })).to.include({ code: 'invalid_input' });
  });

  it('is lifted: the user may sign in again, the ended sessions stay ended', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const before = await person(platform, account, 'ada');
    await svc.call('auth.user.ban', { userId: before.userId });
    const { user } = await svc.call('auth.user.unban', { userId: before.userId });
    expect(user).to.include({ bannedAt: null, bannedUntil: null });
    expect((await before.refusal('auth.me.get', {})).code).to.equal('token_invalid');
    const after = await person(platform, account, 'ada');
    expect((await after.call('auth.me.get', {})).user.id).to.equal(before.userId);
    await svc.call('auth.user.unban', { userId: before.userId });
    expect(await eventsOf(platform, live, 'auth.user.unbanned')).to.have.length(1);
  });
});
