import { expect } from 'chai';
import { startedCode } from '#test/auth/support.js';
import { apiAt } from '#test/support/api.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { everythingStored, setClosed, withTopic } from './support.js';

describe('input that was accepted before an erasure', () => {
  const platform = usePlatform();
  const consents = [{ topic: 'news', channel: 'email' as const, source: 'shop' }];

  const rejectedOf = async (svc: Awaited<ReturnType<typeof platform.account>>['svc'], importId: string) => {
    const { import: done, rejected } = await svc.call('audience.import.get', { importId });
    return { status: done.status, created: done.created, updated: done.updated, rejected };
  };

  it('does not bring the person back through an import, by address, number or external id', async () => {
    const account = await withTopic(await platform.account());
    const { svc, live } = account;
    const { contact } = await svc.call('audience.contact.upsert', {
      email: 'Ada@example.com',
      phone: '+5491123456789',
      externalId: 'customer-1',
      consents,
    });
    await setClosed(platform, live);
    const { import: accepted } = await svc.call('audience.contact.import', {
      contacts: [
        { email: 'ada@EXAMPLE.com', firstName: 'Lovelace' },
        { phone: '+54 11 2345-6789', firstName: 'Lovelace' },
        { externalId: 'customer-1', lastName: 'Lovelace' },
        { email: 'grace@example.com' },
      ],
      consents,
    });
    platform.clock.advance(1_000);
    await svc.call('audience.contact.delete', { contactId: contact.id });
    await platform.settled();
    // The rows do not wait with the import.
    expect(await everythingStored(platform, ['audience_import_part'])).to.not.match(/ada|2345|customer-1|Lovelace/i);

    await setClosed(platform, live, false);
    await platform.settled();
    const outcome = await rejectedOf(svc, accepted.id);
    expect(outcome).to.deep.include({ status: 'done', created: 1, updated: 0 });
    expect(outcome.rejected.map(({ row, code }) => [row, code])).to.deep.equal(
      [1, 2, 3].map((row) => [row, 'contact_erased']),
    );
    expect(await svc.refusal('audience.contact.get', { email: 'ada@example.com' })).to.include({ code: 'not_found' });
    expect(await svc.refusal('audience.contact.get', { externalId: 'customer-1' })).to.include({ code: 'not_found' });
  });

  it('does not change who came back since, and does not stop what is accepted later', async () => {
    const account = await withTopic(await platform.account());
    const { svc, live } = account;
    const email = 'ada@example.com';
    const { contact } = await svc.call('audience.contact.upsert', { email });
    await setClosed(platform, live);
    const early = await svc.call('audience.contact.import', { contacts: [{ email, firstName: 'Early' }], consents });
    platform.clock.advance(1_000);
    await svc.call('audience.contact.delete', { contactId: contact.id });
    platform.clock.advance(1_000);
    const back = await svc.call('audience.contact.upsert', { email });
    const late = await svc.call('audience.contact.import', { contacts: [{ email, lastName: 'Late' }] });
    await setClosed(platform, live, false);
    await platform.settled();
    expect((await rejectedOf(svc, early.import.id)).rejected).to.have.length(1);
    expect((await rejectedOf(svc, late.import.id)).rejected).to.deep.equal([]);
    const found = await svc.call('audience.contact.get', { contactId: back.contact.id });
    expect(found.contact).to.include({ firstName: null, lastName: 'Late' });
    expect(found.consents).to.deep.equal([]);
  });

  it('is about another person if the address was theirs at the time of the erasure', async () => {
    const { svc, live } = await platform.account();
    const email = 'shared@example.com';
    const first = await svc.call('audience.contact.upsert', { email, externalId: 'a' });
    await svc.call('audience.contact.update', { contactId: first.contact.id, email: null });
    await svc.call('audience.contact.upsert', { email, externalId: 'b' });
    await setClosed(platform, live);
    const waiting = await svc.call('audience.contact.import', { contacts: [{ email, firstName: 'Bob' }] });
    platform.clock.advance(1_000);
    await svc.call('audience.contact.delete', { contactId: first.contact.id });
    await setClosed(platform, live, false);
    await platform.settled();
    expect(await rejectedOf(svc, waiting.import.id)).to.deep.include({ updated: 1, rejected: [] });
  });

  it('is searched again a minute later, for what an erasure committed meanwhile', async () => {
    const { svc, live } = await platform.account();
    const people = await Promise.all(
      ['ada', 'grace'].map(async (name) => svc.call('audience.contact.upsert', { email: `${name}@example.com` })),
    );
    await setClosed(platform, live);
    await svc.call('audience.contact.import', {
      contacts: [{ email: 'ada@example.com' }, { email: 'grace@example.com' }],
    });
    platform.clock.advance(1_000);
    for (const { contact } of people) {
      await svc.call('audience.contact.delete', { contactId: contact.id });
      await platform.settled();
    }
    platform.clock.advance(minutes(2));
    await platform.settled();
    expect(await everythingStored(platform, ['audience_import_part'])).to.not.match(/ada|grace/);
  });

  itNeeding('auth')('does not create a user again, even if a contact still has the address', async () => {
    const account = await platform.account();
    const email = 'ada@example.com';
    await account.svc.call('audience.contact.upsert', { email });
    const { user } = await account.svc.call('auth.user.create', { email, emailVerified: true });
    const challengeId = await startedCode(platform, account.live, { email });
    platform.clock.advance(1_000);
    await account.svc.call('auth.user.delete', { userId: user.id });
    await platform.settled();
    const app = apiAt(
      () => platform.running.address,
      () => account.keys.live.publishable,
      () => platform.running.registry,
    );
    const refused = await app.refusal('auth.signin.verify', { challengeId, code: '271828' });
    expect(refused).to.include({ status: 410, code: 'challenge_expired' });
    expect((await account.svc.call('auth.user.list', { query: email })).users).to.deep.equal([]);
  });
});
