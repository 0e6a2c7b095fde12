import { expect } from 'chai';
import { join, organizationOf, person } from '#test/auth/people.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

interface Page<T> {
  rows: readonly T[];
  nextBefore: string | null;
}

/** All rows of a list, read in pages of two. */
async function allOf<T>(read: (page: { limit: number; before?: string }) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  for (let before: string | null | undefined; before !== null;) {
    const { rows, nextBefore } = await read({ limit: 2, ...(before === undefined ? {} : { before }) });
    expect(rows.length).to.be.at.most(2);
    all.push(...rows);
    before = nextBefore;
  }
  return all;
}

describe('Lists of organizations, members and invitations', () => {
  const platform = usePlatform();

  it('auth.org.list shows every organization, newest first, or those whose name or slug begins like a query', async () => {
    const account = await platform.account();
    const { svc, svcTest } = account;
    const owner = await person(platform, account, 'owner');
    const names = ['Analytical Engines', 'Difference Engines', 'Élan Vital', 'Elanor', 'Zeppelin'];
    for (const name of names) await organizationOf(owner, name);
    await owner.call('auth.org.create', { name: 'Other', slug: 'elastic' });
    const namesOf = (query?: string): Promise<string[]> =>
      allOf(async (page) => {
        const input = { ...page, ...(query === undefined ? {} : { query }) };
        const { organizations, nextBefore } = await svc.call('auth.org.list', input);
        return { rows: organizations.map(({ name }) => name), nextBefore };
      });
    expect(await namesOf()).to.deep.equal(['Other', ...[...names].reverse()]);
    expect(await namesOf('ELA')).to.deep.equal(['Other', 'Elanor', 'Élan Vital']);
    expect(await namesOf('élan')).to.deep.equal(['Elanor', 'Élan Vital']);
    for (const query of ['engines', '%', '_']) expect(await namesOf(query), query).to.deep.equal([]);
    expect((await svcTest.call('auth.org.list', {})).organizations, 'of another environment').to.deep.equal([]);
  });

  it('auth.org.mine shows the user’s own with their role, newest first', async () => {
    const account = await platform.account();
    const [owner, bob] = [await person(platform, account, 'owner'), await person(platform, account, 'bob')];
    const roles = ['member', 'admin', 'owner'] as const;
    for (const role of roles) await join(platform, (await organizationOf(owner, `With ${role}`)).id, bob, role);
    await organizationOf(owner, 'Without Bob');
    const mine = await allOf(async (page) => {
      const { organizations, nextBefore } = await bob.call('auth.org.mine', page);
      return { rows: organizations.map(({ organization, role }) => [organization.name, role]), nextBefore };
    });
    expect(mine).to.deep.equal([
      ['With owner', 'owner'],
      ['With admin', 'admin'],
      ['With member', 'member'],
    ]);
    const { organizations } = await account.svc.call('auth.user.get', { userId: bob.userId });
    expect(organizations.map(({ organization, role }) => [organization.name, role])).to.deep.equal(mine);
  });

  it('auth.org.member.list shows the members, the latest to join first', async () => {
    const account = await platform.account();
    const owner = await person(platform, account, 'owner');
    const { id: organizationId } = await organizationOf(owner);
    for (const [name, role] of [
      ['zoe', 'member'],
      ['ann', 'admin'],
      ['max', 'member'],
    ] as const)
      await join(platform, organizationId, await person(platform, account, name), role);
    const members = await allOf(async (page) => {
      const { members: rows, nextBefore } = await owner.call('auth.org.member.list', { organizationId, ...page });
      return { rows, nextBefore };
    });
    expect(members.map(({ email, role }) => [email, role])).to.deep.equal([
      ['max@example.com', 'member'],
      ['ann@example.com', 'admin'],
      ['zoe@example.com', 'member'],
      ['owner@example.com', 'owner'],
    ]);
    expect(members[3]).to.deep.equal({
      userId: owner.userId,
      email: owner.email,
      name: null,
      role: 'owner',
      joinedAt: platform.clock.now().toISOString(),
      updatedAt: platform.clock.now().toISOString(),
    });
  });

  itNeeding('email')('auth.org.invite.list shows the open invitations, newest first', async () => {
    const account = await platform.account();
    const owner = await person(platform, account, 'owner');
    const { id: organizationId } = await organizationOf(owner);
    const made = [];
    for (const name of ['a', 'b', 'c', 'd'])
      made.push(await owner.call('auth.org.invite.create', { organizationId, email: `${name}@example.com` }));
    const [first, second, third, fourth] = made.map(({ invite }) => invite);
    await owner.call('auth.org.invite.revoke', { organizationId, inviteId: second?.id ?? '' });
    const invites = await allOf(async (page) => {
      const { invites: rows, nextBefore } = await owner.call('auth.org.invite.list', { organizationId, ...page });
      return { rows, nextBefore };
    });
    expect(invites).to.deep.equal([fourth, third, first]);
    expect(first).to.include({ role: 'member', invitedBy: owner.userId, acceptedAt: null, revokedAt: null });
  });
});
