import { expect } from 'chai';
import { auditOf, concurrently, eventsOf } from '#test/audience/support.js';
import { organizationOf, person } from '#test/auth/people.js';
import { usePlatform } from '#test/support/platform.js';

describe('auth.org.update', () => {
  const platform = usePlatform();

  async function team() {
    const account = await platform.account();
    const owner = await person(platform, account, 'owner');
    const organization = await organizationOf(owner);
    return { account, owner, organization, organizationId: organization.id };
  }

  it('changes what it names and keeps the rest; metadata merges key by key, null removes the logo', async () => {
    const { owner, organization, organizationId } = await team();
    const logoUrl = 'https://example.com/logo.svg';
    const first = { name: ' Difference Engines ', slug: 'engines', logoUrl, metadata: { size: 3, plan: 'pro' } };
    const changed = await owner.call('auth.org.update', { organizationId, ...first });
    expect(changed.organization).to.deep.include({ ...first, name: 'Difference Engines', requireMfa: false });
    const metadata = { size: null, seats: 5 };
    const again = await owner.call('auth.org.update', { organizationId, logoUrl: null, metadata });
    expect(again.organization).to.deep.equal({
      // Later than before, also within a millisecond (updateTime).
      ...changed.organization,
      logoUrl: null,
      metadata: { plan: 'pro', seats: 5 },
      updatedAt: again.organization.updatedAt,
    });
    expect((await owner.call('auth.org.get', { organizationId })).organization).to.deep.equal(again.organization);
    expect(again.organization.createdAt).to.equal(organization.createdAt);
  });

  it('emits the organization as it is now, and nothing for a repeat', async () => {
    const { account, owner, organizationId } = await team();
    const { organization } = await owner.call('auth.org.update', { organizationId, slug: 'engines' });
    await owner.call('auth.org.update', { organizationId, slug: 'engines' });
    const events = await eventsOf(platform, account.live, 'auth.org.updated');
    expect(events.map(({ subjectId, data }) => ({ subjectId, data }))).to.deep.equal([
      { subjectId: organizationId, data: { organization } },
    ]);
    const record = await auditOf(platform, events[0]?.activityId ?? '');
    expect(record).to.include({ operation: 'auth.org.update', subject: `organization ${organizationId}` });
    expect(record.changes).to.deep.equal([{ field: 'slug', from: 'analytical-engines', to: 'engines' }]);
  });

  it('refuses the slug of another organization, under concurrent calls too', async () => {
    const { owner, organizationId } = await team();
    await owner.call('auth.org.create', { name: 'Acme', slug: 'acme' });
    const refused = await owner.refusal('auth.org.update', { organizationId, slug: 'acme' });
    expect(refused).to.include({ status: 409, code: 'org_slug_taken', fix: 'Choose another slug.' });
    const made = await concurrently((index) => organizationOf(owner, `Team ${index}`), 6);
    const outcomes = await Promise.allSettled(
      made.map(({ id }) => owner.call('auth.org.update', { organizationId: id, slug: 'contested' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(String(outcome.reason)).to.contain('org_slug_taken');
  });

  it('loses no change under concurrent calls', async () => {
    const { owner, organizationId } = await team();
    await concurrently((index) => owner.call('auth.org.update', { organizationId, metadata: { [`k${index}`]: 1 } }));
    const { organization } = await owner.call('auth.org.get', { organizationId });
    expect(Object.keys(organization.metadata)).to.have.length(20);
  });

  it('refuses a logo that a browser would run, slugs of other letters and no change at all', async () => {
    const { owner, organizationId } = await team();
    for (const input of [{ logoUrl: 'javascript:alert(1)' }, { slug: 'Über uns' }, { slug: 'a' }, { name: ' ' }, {}])
      expect((await owner.refusal('auth.org.update', { organizationId, ...input })).code).to.equal('invalid_input');
  });
});
