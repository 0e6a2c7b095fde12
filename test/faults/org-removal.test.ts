import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { deleteOrganization } from '#plugins/auth/organizations/delete-organization.js';
import { removedPerStep } from '#plugins/auth/organizations/removal.js';
import { orgMembers } from '#plugins/auth/tables/org-member.js';
import { organizations } from '#plugins/auth/tables/organization.js';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { openBackgroundWork, type BackgroundWork } from './support/background-work.js';

describe('The removal of a large organization whose node is killed', function () {
  this.timeout(120_000);
  needProducts('auth');
  let work: BackgroundWork | undefined;
  after(() => work?.close());

  it('continues where it stopped, and completes', async () => {
    work = await openBackgroundWork('auth_org_removal_queue');
    const { services, environment, start, rowsOf } = work;
    const { database, transaction, clock } = services;
    const now = clock.now();
    const count = 6 * removedPerStep;
    const organization = {
      ...{ id: newId(), environmentId: environment.id, name: 'Engines', nameKey: 'engines', slug: 'engines' },
      ...{ logoUrl: null, metadata: '{}', requireMfa: false, memberCount: count, createdAt: now, updatedAt: now },
    };
    const members = Array.from({ length: count }, () => ({
      ...{ organizationId: organization.id, userId: newId(), environmentId: environment.id, id: newId() },
      ...{ role: 'member' as const, joinedAt: now, updatedAt: null },
    }));
    await database.insert(organizations, organization);
    await database.run(orgMembers.insertRows(members));
    await transaction('Test', async (context) => {
      context.actIn(environment);
      await deleteOrganization(context, environment, organization);
    });
    expect(await rowsOf('auth_organization')).to.equal(0);
    expect(await rowsOf('auth_org_member')).to.equal(count - removedPerStep);

    for (const fault of ['auth.org.removal.step:2', 'work.claimed:1']) {
      const node = await start(fault);
      await node.diedAtPoint();
      expect(await rowsOf('auth_org_member'), fault).to.equal(count - 3 * removedPerStep);
      expect(await rowsOf('auth_org_removal_queue'), fault).to.equal(1);
    }
    await start();
    await eventually(async () => (await rowsOf('auth_org_removal_queue')) === 0, 'the end of the removal', 30_000);
    expect(await rowsOf('auth_org_member')).to.equal(0);
  });
});
