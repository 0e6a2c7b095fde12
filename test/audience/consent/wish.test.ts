import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { topicOf } from '#test/audience/support.js';

describe('A person who unsubscribed', () => {
  const platform = usePlatform();
  const email = 'ada@example.com';
  const consent = { topic: 'news', channel: 'email' as const, source: 'checkout' };

  const subscriber = async (): Promise<TestAccount & { token: string }> => {
    const account = await platform.account();
    const { svc } = account;
    for (const key of ['news', 'offers']) await topicOf(svc, { key, name: key });
    await svc.call('audience.contact.upsert', { email, consents: [consent] });
    platform.clock.advance(minutes(1));
    const { token } = await svc.call('audience.preferences.link', { email });
    return { ...account, token };
  };
  const now = (): string => platform.clock.now().toISOString();
  const granted = async ({ svc }: TestAccount): Promise<string[]> =>
    (await svc.call('audience.contact.get', { email })).consents
      .filter(({ state }) => state === 'granted')
      .map(({ topic }) => topic);

  it('stays unsubscribed through repeated upserts, and is subscribed again by newer evidence', async () => {
    const account = await subscriber();
    const { svc } = account;
    await platform.api.call('audience.preferences.set', { token: account.token, email: { topics: { news: false } } });
    platform.clock.advance(minutes(1));
    for (let night = 0; night < 3; night += 1)
      await svc.call('audience.contact.upsert', { email, consents: [consent] });
    expect(await granted(account)).to.deep.equal([]);
    expect((await svc.call('audience.consent.list', {})).consents).to.have.length(2);
    await svc.call('audience.contact.upsert', { email, consents: [{ ...consent, givenAt: now() }] });
    expect(await granted(account)).to.deep.equal(['news']);
  });

  it('from everything cannot be subscribed on their behalf by any operation, and only gets topics that they tick', async () => {
    const account = await subscriber();
    const { svc, token } = account;
    await platform.api.call('audience.preferences.set', { token, email: { unsubscribeAll: true } });
    platform.clock.advance(minutes(1));
    const offers = { ...consent, topic: 'offers', givenAt: now() };
    expect(await svc.refusal('audience.consent.grant', { email, ...offers })).to.include({
      code: 'suppression_standing',
    });
    await svc.call('audience.contact.upsert', { email, consents: [offers] });
    await svc.call('audience.contact.import', { contacts: [{ email, consents: [offers] }] });
    await platform.settled();
    expect(await granted(account)).to.deep.equal([]);

    await platform.api.call('audience.preferences.set', { token, email: { unsubscribeAll: false } });
    expect(await granted(account)).to.deep.equal([]);
    await platform.api.call('audience.preferences.set', { token, email: { topics: { offers: true } } });
    expect(await granted(account)).to.deep.equal(['offers']);
  });

  itNeeding('email')(
    'from everything gets no mail under a topic that they did not tick, whatever evidence there is',
    async () => {
      const { svc, token } = await subscriber();
      await platform.api.call('audience.preferences.set', { token, email: { unsubscribeAll: true } });
      platform.clock.advance(minutes(1));
      await svc.call('audience.contact.upsert', { email, consents: [{ ...consent, topic: 'offers', givenAt: now() }] });
      await platform.api.call('audience.preferences.set', { token, email: { unsubscribeAll: false } });
      const { status } = await svc.call('email.send', { to: email, topic: 'offers', subject: 'A', text: 'B' });
      expect(status).to.equal('suppressed');
    },
  );

  it('twice is not subscribed by evidence from in between', async () => {
    const account = await subscriber();
    const { svc, live } = account;
    const no = { email, topic: 'news', channel: 'email' as const, source: 'support call' };
    const first = await svc.call('audience.consent.revoke', no);
    platform.clock.advance(minutes(1));
    const between = now();
    platform.clock.advance(minutes(1));
    const events = await platform.events(live);
    expect(await svc.call('audience.consent.revoke', no)).to.deep.equal(first);
    expect((await platform.events(live)).length, 'nothing changed').to.equal(events.length);
    platform.clock.advance(minutes(1));
    await svc.call('audience.contact.upsert', { email, consents: [{ ...consent, givenAt: between }] });
    expect(await granted(account)).to.deep.equal([]);
    await svc.call('audience.contact.upsert', { email, consents: [{ ...consent, givenAt: now() }] });
    expect(await granted(account)).to.deep.equal(['news']);
  });

  it('and then changed the address and was erased stays unsubscribed at both addresses', async () => {
    const account = await subscriber();
    const { svc } = account;
    const { contact } = await svc.call('audience.contact.get', { email });
    await svc.call('audience.consent.revoke', { email, topic: 'news', channel: 'email', source: 'support call' });
    await svc.call('audience.contact.update', { contactId: contact.id, email: 'ada@elsewhere.example' });
    await svc.call('audience.contact.delete', { contactId: contact.id });
    for (const address of [email, 'ada@elsewhere.example']) {
      await svc.call('audience.contact.upsert', { email: address, consents: [consent] });
      expect((await svc.call('audience.contact.get', { email: address })).consents, address).to.deep.equal([]);
    }
  });
});
