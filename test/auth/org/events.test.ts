import { expect } from 'chai';
import { auditOf, eventsOf } from '#test/audience/support.js';
import { invited, join, organizationOf, person } from '#test/auth/people.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

describe('What changes of members report', () => {
  const platform = usePlatform();

  itNeeding('email')('is the member as they are then, to events and audit records alike', async () => {
    const account = await platform.account();
    const owner = await person(platform, account, 'owner');
    const { id: organizationId, name } = await organizationOf(owner);
    const bob = await person(platform, account, 'bob');
    const { token, inviteId } = await invited(platform, owner, { organizationId, email: bob.email, role: 'admin' });
    await bob.call('auth.org.invite.accept', { token });
    const { userId } = bob;
    const { member } = await owner.call('auth.org.member.update', { organizationId, userId, role: 'member' });
    await bob.call('auth.org.leave', { organizationId });
    await join(platform, organizationId, bob, 'owner');
    await owner.call('auth.org.member.remove', { organizationId, userId });

    const events = (await eventsOf(platform, account.live, 'auth.org.')).filter(
      ({ type }) => type !== 'auth.org.created' && type !== 'auth.org.invited',
    );
    // Only the role of “member” was given by a change.
    const changedAt = (role: string): string => (role === 'member' ? member.updatedAt : member.joinedAt);
    const as = (role: string) => ({ organizationId, member: { ...member, role, updatedAt: changedAt(role) } });
    expect(events.map(({ type, subjectId, personId, data }) => ({ type, subjectId, personId, data }))).to.deep.equal(
      (
        [
          ['auth.org.joined', 'admin'],
          ['auth.org.member_updated', 'member'],
          ['auth.org.left', 'member'],
          ['auth.org.member_removed', 'owner'],
        ] as const
      ).map(([type, role]) => ({ type, subjectId: organizationId, personId: userId, data: as(role) })),
    );
    const records = await Promise.all(events.map(({ activityId }) => auditOf(platform, activityId ?? '')));
    expect(records.map(({ operation, subject, changes }) => ({ operation, subject, changes }))).to.deep.equal([
      {
        operation: 'auth.org.invite.accept',
        subject: `organization ${organizationId}`,
        changes: [{ field: 'role', from: null, to: 'admin' }],
      },
      {
        operation: 'auth.org.member.update',
        subject: `user ${userId}`,
        changes: [{ field: 'role', from: 'admin', to: 'member' }],
      },
      {
        operation: 'auth.org.leave',
        subject: `organization ${organizationId}`,
        changes: [{ field: 'membership', from: 'member', to: null }],
      },
      {
        operation: 'auth.org.member.remove',
        subject: `user ${userId}`,
        changes: [{ field: 'membership', from: 'owner', to: null }],
      },
    ]);
    for (const { summary } of records) expect(summary).to.contain(`“${name}”`);
    const [invitation] = await eventsOf(platform, account.live, 'auth.org.invited');
    expect(invitation).to.include({ subjectId: inviteId, personId: userId });
    expect(JSON.stringify(invitation), 'no event carries the token').not.to.contain(token);
  });
});
