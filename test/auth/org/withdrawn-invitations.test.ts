import { expect } from 'chai';
import { invited, join, organizationOf, person, type Person } from '#test/auth/people.js';
import { auditOf } from '#test/developers/key/support.js';
import { days } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';

describe('Invitations do not outlive the power of who made them', () => {
  const platform = usePlatform();

  async function team() {
    const account = await platform.account();
    const owner = await person(platform, account, 'owner');
    const { id: organizationId } = await organizationOf(owner);
    const second = await person(platform, account, 'second');
    await join(platform, organizationId, second, 'owner');
    const invite = (by: Person, email: string, role: 'owner' | 'admin' | 'member' = 'member') =>
      invited(platform, by, { organizationId, email, role });
    const open = async (): Promise<string[]> =>
      (await owner.call('auth.org.invite.list', { organizationId })).invites.map(({ email }) => email).sort();
    return { account, owner, second, organizationId, invite, open };
  }

  const revoked = async (account: Awaited<ReturnType<typeof team>>['account']): Promise<string[]> =>
    (await platform.events(account.live))
      .filter(({ type }) => type === 'auth.org.invite_revoked')
      .map(({ subjectId }) => subjectId);

  it('are withdrawn when their inviter is removed, which events and the audit record say', async () => {
    const { account, owner, second, organizationId, invite, open } = await team();
    const { token } = await invite(second, 'back@example.com', 'owner');
    await invite(owner, 'stays@example.com');
    const { activityId } = await account.svc.envelope(
      'auth.org.member.remove',
      { accessToken: owner.accessToken, organizationId, userId: second.userId },
      { key: account.keys.live.publishable },
    );
    expect(await open()).to.deep.equal(['stays@example.com']);
    const back = await person(platform, account, 'back');
    expect((await back.refusal('auth.org.invite.accept', { token })).code).to.equal('invite_revoked');
    const [id, ...others] = await revoked(account);
    expect(others).to.deep.equal([]);
    const { changes } = await auditOf(platform, activityId);
    expect(changes).to.contain(`invitation ${id}`).and.not.contain('back@example.com');
  });

  it('are withdrawn as far as a weaker role could not make them', async () => {
    const { owner, second, organizationId, invite, open } = await team();
    await invite(second, 'an-owner@example.com', 'owner');
    await invite(second, 'an-admin@example.com', 'admin');
    await invite(second, 'a-member@example.com');
    const lower = (role: 'admin' | 'member') =>
      owner.call('auth.org.member.update', { organizationId, userId: second.userId, role });
    await lower('admin');
    expect(await open()).to.deep.equal(['a-member@example.com', 'an-admin@example.com']);
    await lower('member');
    expect(await open()).to.deep.equal([]);
  });

  it('belong to whoever sent them last', async () => {
    const { owner, second, organizationId, invite, open } = await team();
    await invite(second, 'bob@example.com');
    await invite(owner, 'bob@example.com');
    await owner.call('auth.org.member.remove', { organizationId, userId: second.userId });
    expect(await open()).to.deep.equal(['bob@example.com']);
  });

  it('are withdrawn when the inviter leaves, is banned or is deleted', async () => {
    const { account, second, invite, open } = await team();
    await invite(second, 'one@example.com');
    await account.svc.call('auth.user.ban', { userId: second.userId });
    expect(await open()).to.deep.equal([]);

    const leaving = await team();
    await leaving.invite(leaving.second, 'one@example.com');
    await leaving.second.call('auth.org.leave', { organizationId: leaving.organizationId });
    expect(await leaving.open()).to.deep.equal([]);

    const deleting = await team();
    await deleting.invite(deleting.second, 'one@example.com');
    const { userId } = deleting.second;
    const { activityId } = await deleting.account.svc.envelope('auth.user.delete', { userId });
    expect(await deleting.open()).to.deep.equal([]);
    const [id] = await revoked(deleting.account);
    expect((await auditOf(platform, activityId)).changes).to.contain(`invitation ${id}`);
  });

  it('that have expired stay as they are', async () => {
    const { account, owner, second, organizationId, invite } = await team();
    await invite(second, 'late@example.com');
    platform.clock.advance(days(8));
    const again = await person(platform, account, 'owner');
    await again.call('auth.org.member.remove', { organizationId, userId: second.userId });
    expect(await revoked(account)).to.deep.equal([]);
    expect(owner.userId).to.equal(again.userId);
  });
});
