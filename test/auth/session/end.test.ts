import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { signedIn } from '#test/auth/support.js';
import { days } from '#test/support/clock.js';
import { usePlatform, type TestNode } from '#test/support/platform.js';

describe('Ending sessions', () => {
  const platform = usePlatform();
  const second: { node?: TestNode } = {};
  before(async () => (second.node = await platform.secondNode()));

  it('auth.session.signout ends the session of any of its refresh tokens, and answers a repeat alike', async () => {
    const { live, keys, svc } = await platform.account();
    const key = keys.live.publishable;
    const first = await signedIn(platform, live);
    const { tokens } = await svc.call('auth.session.refresh', { refreshToken: first.refreshToken }, { key });
    const spent = { refreshToken: first.refreshToken };
    expect(await svc.call('auth.session.signout', spent, { key })).to.deep.equal({ ended: true });
    expect(await svc.call('auth.session.signout', spent, { key })).to.deep.equal({ ended: false });
    const refused = await svc.refusal('auth.session.refresh', { refreshToken: tokens.refreshToken }, { key });
    expect(refused).to.include({ status: 401, code: 'session_revoked' });
    const events = (await platform.events(live)).filter(({ type }) => type === 'auth.session.signed_out');
    expect(events.map(({ subjectId }) => subjectId)).to.deep.equal([first.sessionId]);
    expect((await svc.refusal('auth.session.signout', { refreshToken: 'svc_rt_x' }, { key })).code).to.equal(
      'session_invalid',
    );
  });

  it('stops operations of the user at once, on every node', async () => {
    const { live, keys, svc } = await platform.account();
    const { accessToken, sessionId } = await signedIn(platform, live);
    const asUser = { key: keys.live.publishable };
    expect((await svc.call('auth.session.mine', { accessToken }, asUser)).sessions).to.have.length(1);
    expect(await svc.call('auth.session.revoke', { sessionId })).to.deep.equal({ ended: 1 });
    for (const node of [svc, second.node?.as(keys.live.publishable)]) {
      const refused = await node?.refusal('auth.session.mine', { accessToken }, asUser);
      expect(refused).to.include({ status: 401, code: 'token_invalid' });
    }
    expect(await svc.call('auth.session.revoke', { sessionId })).to.deep.equal({ ended: 0 });
  });

  it('auth.session.mine shows the live sessions and marks the one that asks', async () => {
    const { live, keys, svc } = await platform.account();
    const gone = await signedIn(platform, live);
    platform.clock.advance(days(31));
    const other = await signedIn(platform, live);
    const { accessToken, sessionId } = await signedIn(platform, live);
    await signedIn(platform, live, { email: 'grace@example.com' });
    const asUser = { key: keys.live.publishable };
    const { sessions, nextBefore } = await svc.call('auth.session.mine', { accessToken }, asUser);
    expect(sessions.map(({ id, current }) => ({ id, current }))).to.deep.equal([
      { id: sessionId, current: true },
      { id: other.sessionId, current: false },
    ]);
    expect(nextBefore).to.equal(null);
    const page = await svc.call('auth.session.mine', { accessToken, limit: 1 }, asUser);
    expect(page.nextBefore).to.equal(sessionId);
    const rest = await svc.call('auth.session.mine', { accessToken, before: sessionId }, asUser);
    expect(rest.sessions.map(({ id }) => id)).to.deep.equal([other.sessionId]);
    const all = await svc.call('auth.session.list', { userId: gone.userId, live: false });
    expect(all.sessions.map(({ id }) => id)).to.deep.equal([sessionId, other.sessionId, gone.sessionId]);
  });

  it('auth.session.revokeMine ends one session or all others, never somebody else’s', async () => {
    const { live, keys, svc } = await platform.account();
    const asUser = { key: keys.live.publishable };
    const [one, two, three] = [
      await signedIn(platform, live),
      await signedIn(platform, live),
      await signedIn(platform, live),
    ];
    const { accessToken } = await signedIn(platform, live);
    const grace = await signedIn(platform, live, { email: 'grace@example.com' });
    for (const familyId of [grace.sessionId, newId()]) {
      const refused = await svc.refusal('auth.session.revokeMine', { accessToken, familyId }, asUser);
      expect(refused).to.include({ status: 404, code: 'not_found' });
    }
    const end = async (input: { familyId: string } | { allOthers: true }): Promise<number> =>
      (await svc.call('auth.session.revokeMine', { accessToken, ...input }, asUser)).ended;
    expect(await end({ familyId: one.sessionId })).to.equal(1);
    expect(await end({ familyId: one.sessionId })).to.equal(0);
    expect(await end({ allOthers: true })).to.equal(2);
    expect(await end({ allOthers: true })).to.equal(0);
    for (const input of [{}, { allOthers: false }, { allOthers: true, familyId: one.sessionId }])
      expect((await svc.refusal('auth.session.revokeMine', { accessToken, ...input }, asUser)).code).to.equal(
        'invalid_input',
      );
    const ended = (await platform.events(live)).filter(({ type }) => type === 'auth.session.revoked');
    expect(ended.map(({ subjectId }) => subjectId).sort()).to.deep.equal(
      [one, two, three].map(({ sessionId }) => sessionId).sort(),
    );
    expect((await svc.call('auth.session.list', { userId: grace.userId })).sessions).to.have.length(1);
  });

  it('auth.session.revoke ends every live session of a user', async () => {
    const { live, svc } = await platform.account();
    const { userId } = await signedIn(platform, live);
    await signedIn(platform, live);
    expect(await svc.call('auth.session.revoke', { userId })).to.deep.equal({ ended: 2 });
    expect(await svc.call('auth.session.revoke', { userId })).to.deep.equal({ ended: 0 });
    for (const input of [{ userId: newId() }, { sessionId: newId() }])
      expect((await svc.refusal('auth.session.revoke', input)).code).to.equal('not_found');
    expect((await svc.refusal('auth.session.revoke', {})).code).to.equal('invalid_input');
  });
});
