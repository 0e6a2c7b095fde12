import { expect } from 'chai';
import { contactOf, eventsOf, concurrently, topicOf } from '#test/audience/support.js';
import { usePlatform } from '#test/support/platform.js';

describe('audience.contact.upsert under concurrent calls', () => {
  const platform = usePlatform();

  it('creates one contact under twenty concurrent calls, with the fields of all', async () => {
    const { svc, live } = await platform.account();
    const answers = await concurrently((index) =>
      svc.call('audience.contact.upsert', { email: 'ada@example.com', properties: { [`p${index}`]: index } }),
    );
    expect(answers.filter(({ created }) => created)).to.have.length(1);
    expect(new Set(answers.map(({ contact }) => contact.id)).size).to.equal(1);
    const { contact } = await svc.call('audience.contact.get', { email: 'ada@example.com' });
    expect(Object.keys(contact.properties)).to.have.length(20);
    const events = await eventsOf(platform, live, 'audience.contact.');
    expect(events.filter(({ type }) => type === 'audience.contact.created')).to.have.length(1);
    expect(events.filter(({ type }) => type === 'audience.contact.updated')).to.have.length(19);
  });

  it('appends one consent record under twenty concurrent calls', async () => {
    const { svc, live } = await platform.account();
    await topicOf(svc);
    const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
    await concurrently(() => svc.call('audience.contact.upsert', { email: 'ada@example.com', consents }));
    expect((await svc.call('audience.consent.list', {})).consents).to.have.length(1);
    expect(await eventsOf(platform, live, 'audience.consent.granted')).to.have.length(1);
  });

  it('gives a contested identifier to one contact', async () => {
    const { svc } = await platform.account();
    await concurrently((index) => contactOf(svc, { externalId: `c${index}` }), 10);
    const outcomes = await concurrently(async (index) => {
      const input = { externalId: `c${index}`, phone: '+4915123456789' };
      const { status, text } = await svc.raw('/audience/contact/upsert', JSON.stringify(input));
      if (status !== 200) expect(text).to.include('contact_conflict');
      return status;
    }, 10);
    expect(outcomes.filter((status) => status === 200)).to.have.length(1);
    expect(outcomes.filter((status) => status === 409)).to.have.length(9);
    const { contact } = await svc.call('audience.contact.get', { phone: '+4915123456789' });
    expect(contact.externalId).to.match(/^c\d$/);
  });

  it('does not deadlock when contacts swap addresses', async () => {
    const { svc } = await platform.account();
    const one = await contactOf(svc, { externalId: 'one', email: 'one@example.com' });
    const two = await contactOf(svc, { externalId: 'two', email: 'two@example.com' });
    const wanted = (index: number) =>
      index % 2 === 0
        ? { contactId: one.id, email: index % 4 === 0 ? 'two@example.com' : 'one@example.com' }
        : { contactId: two.id, email: index % 4 === 1 ? 'one@example.com' : 'two@example.com' };
    const outcomes = await concurrently(async (index) => {
      const { status, text } = await svc.raw('/audience/contact/update', JSON.stringify(wanted(index)));
      if (status !== 200) expect(text).to.include('contact_conflict');
      return status;
    });
    expect(outcomes.filter((status) => status !== 200 && status !== 409)).to.deep.equal([]);
    const emails = await Promise.all(
      [one, two].map(async ({ id }) => (await svc.call('audience.contact.get', { contactId: id })).contact.email),
    );
    expect(emails.sort()).to.deep.equal(['one@example.com', 'two@example.com']);
  });
});
