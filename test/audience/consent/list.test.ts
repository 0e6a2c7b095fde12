import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { contactOf, topicOf } from '../support.js';

describe('audience.consent.list', () => {
  const platform = usePlatform();

  /** An account with two contacts and five consent records. */
  async function withRecords(): Promise<TestAccount & { ada: string; bob: string }> {
    const account = await platform.account();
    const { svc } = account;
    await topicOf(svc);
    await topicOf(svc, { key: 'offers' });
    const [ada, bob] = [await contactOf(svc), await contactOf(svc, { email: 'bob@example.com' })];
    const source = 'form';
    await svc.call('audience.consent.grant', { contactId: ada.id, topic: 'news', channel: 'email', source, ip: '::1' });
    await svc.call('audience.consent.grant', { contactId: bob.id, topic: 'news', channel: 'email', source });
    await svc.call('audience.consent.grant', { contactId: ada.id, topic: 'offers', channel: 'sms', source });
    await svc.call('audience.consent.revoke', { contactId: ada.id, topic: 'news', channel: 'email', source });
    await svc.call('audience.consent.grant', { contactId: ada.id, topic: 'news', channel: 'email', source });
    return { ...account, ada: ada.id, bob: bob.id };
  }

  it('lists all records, newest first, including ineffective ones', async () => {
    const { svc, ada, bob } = await withRecords();
    const { consents, nextBefore } = await svc.call('audience.consent.list', {});
    expect(consents.map((each) => [each.contactId, each.topic, each.channel, each.state])).to.deep.equal([
      [ada, 'news', 'email', 'granted'],
      [ada, 'news', 'email', 'revoked'],
      [ada, 'offers', 'sms', 'granted'],
      [bob, 'news', 'email', 'granted'],
      [ada, 'news', 'email', 'granted'],
    ]);
    expect(nextBefore).to.equal(null);
    expect(consents.map(({ ip }) => ip)).to.deep.equal([null, null, null, null, '::1']);
  });

  it('filters by contact, topic and channel', async () => {
    const { svc, ada, bob } = await withRecords();
    const count = async (filter: object): Promise<number> =>
      (await svc.call('audience.consent.list', filter)).consents.length;
    expect(await count({ contactId: ada })).to.equal(4);
    expect(await count({ contactId: bob })).to.equal(1);
    expect(await count({ topic: 'news' })).to.equal(4);
    expect(await count({ channel: 'sms' })).to.equal(1);
    expect(await count({ contactId: ada, topic: 'news', channel: 'email' })).to.equal(3);
    expect(await count({ contactId: bob, channel: 'sms' })).to.equal(0);
    for (const unknown of [{ contactId: newId() }, { topic: 'none' }])
      expect((await svc.refusal('audience.consent.list', unknown)).code).to.equal('not_found');
    await svc.call('audience.contact.delete', { contactId: bob });
    expect(await count({ contactId: bob }), 'of an erased contact').to.equal(1);
  });

  it('pages consistently while records are added', async () => {
    const { svc, bob } = await withRecords();
    const all = (await svc.call('audience.consent.list', {})).consents;
    const first = await svc.call('audience.consent.list', { limit: 2 });
    await svc.call('audience.consent.revoke', { contactId: bob, channel: 'email', source: 'call' });
    const second = await svc.call('audience.consent.list', { limit: 2, before: first.nextBefore ?? '' });
    const third = await svc.call('audience.consent.list', { limit: 2, before: second.nextBefore ?? '' });
    expect([...first.consents, ...second.consents, ...third.consents]).to.deep.equal(all);
    expect(third.nextBefore).to.equal(null);
  });

  it('keeps the records of an erased contact, without IP addresses', async () => {
    const { svc, ada } = await withRecords();
    const before = (await svc.call('audience.consent.list', { contactId: ada })).consents;
    await svc.call('audience.contact.delete', { contactId: ada });
    const after = (await svc.call('audience.consent.list', { contactId: ada })).consents;
    expect(after).to.deep.equal(before.map((each) => ({ ...each, ip: null })));
  });

  it('shows nothing of another environment', async () => {
    const { svcTest, ada } = await withRecords();
    expect(await svcTest.call('audience.consent.list', {})).to.deep.equal({ consents: [], nextBefore: null });
    for (const filter of [{ contactId: ada }, { topic: 'news' }])
      expect((await svcTest.refusal('audience.consent.list', filter)).code).to.equal('not_found');
  });

  it('refuses invalid filters', async () => {
    const { svc } = await platform.account();
    for (const input of [{ contactId: 'ada' }, { channel: 'fax' }, { topic: '' }, { before: 'x' }, { limit: 101 }])
      expect(await svc.refusal('audience.consent.list', input), JSON.stringify(input)).to.include({
        status: 400,
        code: 'invalid_input',
      });
  });
});
