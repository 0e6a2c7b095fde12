import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { contacts, recipients, type PropertyChange, type PropertyOutcome } from '#plugins/audience/ports.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { contactOf, eventsOf, topicOf } from '../support.js';

describe('What audience tells other products about contacts', () => {
  const platform = usePlatform();

  const set = ({ live }: TestAccount, changes: readonly PropertyChange[]): Promise<PropertyOutcome[]> =>
    platform.running.services.transaction('Test', ({ use, actIn }) => {
      actIn(live);
      return use(contacts).setProperties(live, changes);
    });

  it('sets and removes properties like audience.contact.update, with one event for each change', async () => {
    const account = await platform.account();
    const { id: ada } = await contactOf(account.svc, { email: 'ada@example.com', properties: { plan: 'free' } });
    const { id: bob } = await contactOf(account.svc, { email: 'bob@example.com' });
    const before = (await eventsOf(platform, account.live, 'audience.contact.updated')).length;
    const activityId = newId();
    const outcomes = await set(account, [
      { contactId: bob, key: 'plan', value: 'pro', activityId },
      { contactId: ada, key: 'plan', value: 'pro', activityId },
      { contactId: ada, key: 'visits', value: 3, activityId },
      { contactId: ada, key: 'visits', value: 3, activityId },
      { contactId: ada, key: 'plan', value: null, activityId },
      { contactId: newId(), key: 'plan', value: 'pro', activityId },
    ]);
    expect(outcomes).to.deep.equal(['set', 'set', 'set', 'unchanged', 'set', 'no_contact']);
    const { contact } = await account.svc.call('audience.contact.get', { contactId: ada });
    expect(contact.properties).to.deep.equal({ visits: 3 });
    const events = (await eventsOf(platform, account.live, 'audience.contact.updated')).slice(before);
    expect(events.map(({ personId }) => personId)).to.deep.equal([bob, ada, ada, ada]);
    expect(new Set(events.map((event) => event.activityId))).to.deep.equal(new Set([activityId]));
    // Segments see the property.
    const definition = { field: 'properties.visits', op: 'eq', value: 3 };
    expect((await account.svc.call('audience.segment.preview', { definition })).size).to.equal(1);
  });

  it('refuses a property that is one too many, and those of another environment’s contacts', async () => {
    const account = await platform.account();
    const stranger = await platform.account();
    const properties = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`p${index}`, index]));
    const { id } = await contactOf(account.svc, { email: 'ada@example.com', properties });
    const { id: foreign } = await contactOf(stranger.svc);
    const one = { key: 'another', value: true, activityId: null };
    expect(await set(account, [{ ...one, contactId: id }])).to.deep.equal(['refused']);
    expect(await set(account, [{ ...one, contactId: foreign }])).to.deep.equal(['no_contact']);
  });

  it('tells consents, addresses, known properties and topics', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    await topicOf(svc);
    await topicOf(svc, { key: 'offers', name: 'Offers', channels: ['sms'] });
    await svc.call('audience.topic.archive', { topic: 'offers' });
    const { id: ada } = await contactOf(svc, { email: 'ada@example.com', properties: { plan: 'pro' } });
    const { id: bob } = await contactOf(svc, { email: 'bob@example.com' });
    const consent = { topic: 'news', channel: 'email', source: 'test' } as const;
    await svc.call('audience.consent.grant', { ...consent, contactId: ada });
    await svc.call('audience.consent.revoke', { ...consent, contactId: bob });
    const asked = [
      { channel: 'email', topic: 'news' },
      { channel: 'sms', topic: 'news' },
    ] as const;
    await platform.running.services.read('Test', async ({ use }) => {
      const port = use(contacts);
      const found = await port.consents(live.id, [ada, bob], asked);
      expect([...(found.get(ada) ?? [])]).to.deep.equal([['email.news', true]]);
      expect([...(found.get(bob) ?? [])]).to.deep.equal([['email.news', false]]);
      const ids = await port.idsByEmail(live.id, ['ADA@example.com', 'nobody@example.com']);
      expect([...ids]).to.deep.equal([['ADA@example.com', ada]]);
      expect([...(await port.knownProperties(live.id, ['plan', 'colour']))]).to.deep.equal(['plan']);
      const topics = await use(recipients).topicFacts(live.id, ['news', 'offers', 'none']);
      expect([...topics].sort()).to.deep.equal([
        ['news', { channels: ['email', 'sms'], archived: false }],
        ['offers', { channels: ['sms'], archived: true }],
      ]);
    });
  });
});
