import { expect } from 'chai';
import { concurrently, eventsOf } from '#test/audience/support.js';
import { person } from '#test/auth/people.js';
import { usePlatform } from '#test/support/platform.js';

describe('auth.org.create', () => {
  const platform = usePlatform();

  it('makes the caller its owner, and a slug from the name', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    const { organization } = await ada.call('auth.org.create', {
      name: '  Crème & Söhne GmbH ',
      metadata: { size: 3, none: null },
    });
    expect(organization).to.deep.include({
      name: 'Crème & Söhne GmbH',
      slug: 'creme-sohne-gmbh',
      memberCount: 1,
      requireMfa: false,
      metadata: { size: 3 },
    });
    expect(await ada.call('auth.org.get', { organizationId: organization.id })).to.deep.equal({
      organization,
      role: 'owner',
    });
    const events = await eventsOf(platform, account.live, 'auth.org.');
    expect(events).to.have.length(1);
    expect(events[0]).to.deep.include({
      type: 'auth.org.created',
      subjectId: organization.id,
      data: { organization },
    });
  });

  it('gives organizations of one name different slugs, and refuses a slug that is named and taken', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    const bob = await person(platform, account, 'bob');
    const made = await Promise.all([ada, bob, ada, bob].map((each) => each.call('auth.org.create', { name: 'Acme' })));
    const slugs = made.map(({ organization }) => organization.slug);
    expect(new Set(slugs).size).to.equal(4);
    expect(slugs).to.include('acme');
    const refused = await ada.refusal('auth.org.create', { name: 'Another', slug: 'acme' });
    expect(refused).to.include({ status: 409, code: 'org_slug_taken' });
    expect((await ada.refusal('auth.org.create', { name: 'Another', slug: 'A b' })).code).to.equal('invalid_input');
    expect((await ada.call('auth.org.create', { name: 'Œuvre & Søn Weiß Łódź' })).organization.slug).to.equal(
      'oeuvre-son-weiss-lodz',
    );
    expect((await ada.call('auth.org.create', { name: '東京' })).organization.slug).to.match(/^organization/);
  });

  it('gives a contested slug to one of many concurrent calls', async () => {
    const account = await platform.account();
    const people = await concurrently((index) => person(platform, account, `p${index}`), 6);
    const outcomes = await Promise.allSettled(
      people.map((each) => each.call('auth.org.create', { name: 'Acme', slug: 'acme' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(String(outcome.reason)).to.contain('org_slug_taken');
  });

  it('stops at maxPerUser, under concurrent calls too', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { organizations: { maxPerUser: 2 } });
    const ada = await person(platform, account, 'ada');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => ada.call('auth.org.create', { name: `Team ${index}` })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(2);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(String(outcome.reason)).to.contain('limit_reached');
    expect((await ada.call('auth.org.mine', {})).organizations).to.have.length(2);
  });

  it('is refused where the environment has organizations turned off, and after ten in an hour', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    for (let count = 0; count < 10; count += 1) await ada.call('auth.org.create', { name: `Team ${count}` });
    expect((await ada.refusal('auth.org.create', { name: 'One more' })).code).to.equal('rate_limited');
    const bob = await person(platform, account, 'bob');
    await account.svc.call('auth.settings.set', { organizations: { enabled: false } });
    expect(await bob.refusal('auth.org.create', { name: 'Acme' })).to.include({
      status: 403,
      code: 'feature_disabled',
    });
  });
});
