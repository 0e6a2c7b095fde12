import { expect } from 'chai';
import { idBytes, newId } from '#core/runtime/id.js';
import { removedPerStep } from '#plugins/auth/organizations/removal.js';
import { orgMembers } from '#plugins/auth/tables/org-member.js';
import { join, organizationOf, person } from '#test/auth/people.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';

/** Members of whom nothing else is stored. */
async function addStrangers(
  { running, clock }: TestPlatform,
  { environmentId, organizationId, count }: { environmentId: string; organizationId: string; count: number },
): Promise<void> {
  const joinedAt = clock.now();
  const rows = Array.from({ length: count }, () => ({
    ...{
      organizationId,
      userId: newId(),
      environmentId,
      id: newId(),
      role: 'member' as const,
      joinedAt,
      updatedAt: null,
    },
  }));
  await running.services.database.run(orgMembers.insertRows(rows));
}

const hex = (id: string): string => `0x${idBytes(id).toString('hex')}`;

describe('Deleting an organization with thousands of members', () => {
  // Without workers, so that what they have still to remove can be looked at.
  const platform = usePlatform({ settings: () => ({ SVC_ROLE: 'api' }) });

  async function large() {
    const account = await platform.account();
    const owner = await person(platform, account, 'owner');
    const { id: organizationId, name, slug } = await organizationOf(owner);
    await addStrangers(platform, { environmentId: account.live.id, organizationId, count: 2 * removedPerStep });
    // The latest to come have the highest ids: they are removed last.
    const last = await person(platform, account, 'last');
    await join(platform, organizationId, last, 'owner');
    const members = (): Promise<number> =>
      platform.count('auth_org_member', `organization_id = ${hex(organizationId)}`);
    return { account, owner, last, organizationId, name, slug, members };
  }

  it('takes everybody’s access at once; members that are still stored have none', async () => {
    const { account, owner, last, organizationId, name, slug, members } = await large();
    const switched = await last.call('auth.org.switch', { organizationId });
    await owner.call('auth.org.delete', { organizationId, confirm: name });
    expect(await members()).to.equal(removedPerStep + 2);

    const { accessToken } = switched;
    for (const operation of ['auth.org.get', 'auth.org.member.list', 'auth.org.switch', 'auth.org.leave'] as const)
      expect(await last.refusal(operation, { organizationId })).to.include({ code: 'not_found' });
    expect((await last.call('auth.org.mine', {})).organizations).to.deep.equal([]);
    const { session } = await account.svc.call('auth.session.verify', { accessToken });
    expect(session?.organizationId).to.equal(null);
    expect((await account.svc.call('auth.user.get', { userId: last.userId })).organizations).to.deep.equal([]);
    // Its slug and its place among the organizations that a user may own are free.
    await account.svc.call('auth.settings.set', { organizations: { maxPerUser: 1 } });
    await last.call('auth.org.create', { name, slug });
  });
});

describe('What a deleted organization has left', () => {
  const platform = usePlatform();

  it('is removed behind, and nothing of another organization', async () => {
    const account = await platform.account();
    const [owner, other] = [await person(platform, account, 'owner'), await person(platform, account, 'other')];
    const { id: organizationId, name } = await organizationOf(owner);
    const { id: kept } = await organizationOf(other, 'Difference Engines');
    for (const each of [organizationId, kept])
      await addStrangers(platform, { environmentId: account.live.id, organizationId: each, count: 2_100 });
    await join(platform, organizationId, other, 'member');
    await other.call('auth.org.switch', { organizationId });
    await owner.call('auth.org.delete', { organizationId, confirm: name });
    await platform.settled();
    expect(await platform.count('auth_org_member', `organization_id = ${hex(organizationId)}`)).to.equal(0);
    expect(await platform.count('auth_org_member', `organization_id = ${hex(kept)}`)).to.equal(2_101);
    expect(await platform.count('auth_session', `organization_id = ${hex(organizationId)}`)).to.equal(0);
    expect(await platform.count('auth_org_removal_queue')).to.equal(0);
  });
});
