import { expect } from 'chai';
import { eventsOf } from '#test/audience/support.js';
import { join, organizationOf, person, type Person } from '#test/auth/people.js';
import { usePlatform } from '#test/support/platform.js';

describe('The ownership of an organization', () => {
  const platform = usePlatform();
  const settle = async (calls: readonly Promise<unknown>[]): Promise<string[]> =>
    (await Promise.allSettled(calls)).map((each) => {
      if (each.status === 'fulfilled') return 'done';
      expect(String(each.reason)).to.contain('org_last_owner');
      return 'org_last_owner';
    });

  async function owners(count: number): Promise<{ organizationId: string; people: [Person, Person, ...Person[]] }> {
    const account = await platform.account();
    const first = await person(platform, account, 'owner-0');
    const { id: organizationId } = await organizationOf(first);
    const second = await person(platform, account, 'owner-1');
    const people: [Person, Person, ...Person[]] = [first, second];
    for (let index = 2; index < count; index += 1) people.push(await person(platform, account, `owner-${index}`));
    for (const each of people.slice(1)) await join(platform, organizationId, each, 'owner');
    return { organizationId, people };
  }

  it('stays with one of two owners who leave at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { organizationId, people } = await owners(2);
      const outcomes = await settle(people.map((each) => each.call('auth.org.leave', { organizationId })));
      expect(outcomes.sort()).to.deep.equal(['done', 'org_last_owner']);
    }
  });

  it('stays with one of five who leave, step down and remove each other at once', async () => {
    const { organizationId, people } = await owners(5);
    const [a, b, ...others] = people;
    const outcomes = await Promise.allSettled([
      a.call('auth.org.leave', { organizationId }),
      b.call('auth.org.member.update', { organizationId, userId: b.userId, role: 'member' }),
      ...others.map((each, index) =>
        each.call('auth.org.member.remove', {
          organizationId,
          userId: others[(index + 1) % others.length]?.userId ?? each.userId,
        }),
      ),
    ]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).to.equal(true);
    expect(
      await platform.count(
        'auth_org_member',
        `organization_id = 0x${organizationId.replaceAll('-', '')} AND role = 'owner'`,
      ),
    ).to.be.at.least(1);
  });

  it('cannot be given up by the last owner: not by leaving, stepping down or removing oneself', async () => {
    const account = await platform.account();
    const owner = await person(platform, account, 'owner');
    const { id: organizationId } = await organizationOf(owner);
    const admin = await person(platform, account, 'admin');
    await join(platform, organizationId, admin, 'admin');
    const { userId } = owner;
    for (const refused of [
      await owner.refusal('auth.org.leave', { organizationId }),
      await owner.refusal('auth.org.member.update', { organizationId, userId, role: 'admin' }),
      await owner.refusal('auth.org.member.remove', { organizationId, userId }),
    ])
      expect(refused).to.include({ status: 409, code: 'org_last_owner' });
    await owner.call('auth.org.member.update', { organizationId, userId: admin.userId, role: 'owner' });
    await owner.call('auth.org.leave', { organizationId });
    expect((await admin.call('auth.org.get', { organizationId })).organization.memberCount).to.equal(1);
  });

  it('passes to the longest-standing admin when the last owner is deleted, else to a member; an empty one is deleted', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const owner = await person(platform, account, 'owner');
    const [team, lonely, plain] = [
      await organizationOf(owner),
      await organizationOf(owner),
      await organizationOf(owner),
    ];
    const people = new Map<string, Person>();
    for (const [name, role] of [
      ['member', 'member'],
      ['first-admin', 'admin'],
      ['second-admin', 'admin'],
    ] as const) {
      const each = await person(platform, account, name);
      people.set(name, each);
      await join(platform, team.id, each, role);
    }
    const [member, first] = [people.get('member'), people.get('first-admin')];
    if (!member || !first) throw new Error('Nobody joined.');
    await join(platform, plain.id, first);
    await join(platform, plain.id, member);
    await svc.call('auth.user.delete', { userId: owner.userId });
    expect((await first.call('auth.org.get', { organizationId: team.id })).role).to.equal('owner');
    expect((await first.call('auth.org.get', { organizationId: plain.id })).role, 'the first to join').to.equal(
      'owner',
    );
    expect((await member.call('auth.org.get', { organizationId: team.id })).organization.memberCount).to.equal(3);
    const { organizations } = await svc.call('auth.org.list', {});
    expect(organizations.map(({ id }) => id).sort()).to.deep.equal([team.id, plain.id].sort());
    const events = await eventsOf(platform, live, 'auth.org.');
    expect(events.filter(({ type }) => type === 'auth.org.member_updated')).to.have.length(2);
    expect(events.filter(({ type }) => type === 'auth.org.deleted').map(({ subjectId }) => subjectId)).to.deep.equal([
      lonely.id,
    ]);
  });

  it('keeps an owner when all three owners are deleted at once', async () => {
    const account = await platform.account();
    const owner = await person(platform, account, 'a');
    const { id: organizationId } = await organizationOf(owner);
    const others = [await person(platform, account, 'b'), await person(platform, account, 'c')];
    for (const each of others) await join(platform, organizationId, each, 'owner');
    const heir = await person(platform, account, 'heir');
    await join(platform, organizationId, heir);
    await Promise.all([owner, ...others].map(({ userId }) => account.svc.call('auth.user.delete', { userId })));
    const { role, organization } = await heir.call('auth.org.get', { organizationId });
    expect(role).to.equal('owner');
    expect(organization.memberCount).to.equal(1);
  });
});
