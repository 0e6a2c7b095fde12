import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { refusalBody } from '#test/account/support.js';
import { contactOf, topicOf } from '#test/audience/support.js';
import { days } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { suppress } from './support.js';

describe('audience.contact.get', () => {
  const platform = usePlatform();
  const facts = { externalId: 'ada', email: 'Ada@example.com', phone: '+4915123456789' };

  it('finds a contact by its id and by each of its identifiers, in any spelling', async () => {
    const { svc } = await platform.account();
    const contact = await contactOf(svc, facts);
    const ways = [
      { contactId: contact.id },
      { externalId: 'ada' },
      { email: 'ADA@EXAMPLE.COM' },
      { phone: '+49 1512 3456789' },
    ];
    for (const way of ways) {
      const found = await svc.call('audience.contact.get', way);
      expect(found, JSON.stringify(way)).to.deep.include({ contact, consents: [], suppressions: [] });
    }
  });

  it('shows the current consents and the active suppressions of its address and number', async () => {
    const { svc, live } = await platform.account();
    await topicOf(svc);
    await topicOf(svc, { key: 'offers' });
    const { id } = await contactOf(svc, {
      ...facts,
      consents: [
        { topic: 'news', channel: 'email', source: 'form' },
        { topic: 'offers', channel: 'sms', source: 'till' },
      ],
    });
    await svc.call('audience.consent.revoke', { contactId: id, channel: 'email', topic: 'news', source: 'call' });
    await suppress(platform, live, 'ada@example.com', 'bounce');
    await suppress(platform, live, '+4915123456789', 'stop');
    await suppress(platform, live, 'other@example.com', 'bounce');
    const { consents, suppressions } = await svc.call('audience.contact.get', { contactId: id });
    const since = platform.clock.now().toISOString();
    expect(consents).to.deep.equal([
      { topic: 'news', channel: 'email', state: 'revoked', since, source: 'call' },
      { topic: 'offers', channel: 'sms', state: 'granted', since, source: 'till' },
    ]);
    expect(suppressions.map(({ channel, reason, email, phone }) => ({ channel, reason, email, phone }))).to.deep.equal([
      { channel: 'email', reason: 'bounce', email: 'ada@example.com', phone: null },
      { channel: 'sms', reason: 'stop', email: null, phone: '+4915123456789' },
    ]);
  });

  it('shows for each channel and topic whether the contact may be reached now, and which rule and record stops it', async () => {
    const { svc, live } = await platform.account();
    await topicOf(svc);
    await topicOf(svc, { key: 'offers', channels: ['sms'] });
    const { id: contactId } = await contactOf(svc, {
      ...facts,
      consents: [
        { topic: 'news', channel: 'email', source: 'form' },
        { topic: 'offers', channel: 'sms', source: 'till' },
      ],
    });
    const linesOf = async (): Promise<string[]> =>
      (await svc.call('audience.contact.get', { contactId })).reach.map(
        ({ channel, topic, reachable, reason }) => `${channel} ${topic} ${reachable ? 'reachable' : reason}`,
      );
    expect(await linesOf()).to.deep.equal([
      'email null reachable',
      'email news reachable',
      'sms null reachable',
      'sms news never_asked',
      'sms offers reachable',
    ]);
    platform.clock.advance(days(1));
    const revoked = { contactId, channel: 'email' as const, topic: 'news', source: 'phone call' };
    const { consents } = await svc.call('audience.consent.revoke', revoked);
    await suppress(platform, live, '+4915123456789', 'unsubscribe');
    const { reach, suppressions } = await svc.call('audience.contact.get', { contactId });
    const since = platform.clock.now().toISOString();
    const email = reach.find(({ channel, topic }) => channel === 'email' && topic === 'news');
    expect(email).to.deep.include({ reachable: false, reason: 'opted_out', since, recordId: consents[0]?.id });
    expect(email?.fix).to.include('audience.preferences.link');
    const [suppression] = suppressions;
    const sms = reach.filter(({ channel }) => channel === 'sms');
    expect(sms.map(({ topic, reason }) => [topic, reason])).to.deep.equal([
      [null, null],
      ['news', 'suppressed'],
      ['offers', 'suppressed'],
    ]);
    expect(sms[2]).to.include({ recordId: suppression?.id, since: suppression?.createdAt });
    await suppress(platform, live, 'ada@example.com', 'bounce');
    await svc.call('audience.topic.archive', { topic: 'offers' });
    expect(await linesOf()).to.deep.equal([
      'email null suppressed',
      'email news suppressed',
      'sms null reachable',
      'sms news suppressed',
      'sms offers suppressed',
    ]);
  });

  it('shows topics that were archived or lost the channel where the contact has said something about them', async () => {
    const { svc } = await platform.account();
    for (const key of ['news', 'offers', 'silent']) await topicOf(svc, { key });
    const { id: contactId } = await contactOf(svc, {
      email: 'ada@example.com',
      consents: ['news', 'offers'].map((topic) => ({ topic, channel: 'email' as const, source: 'form' })),
    });
    for (const topic of ['news', 'silent']) await svc.call('audience.topic.archive', { topic });
    await svc.call('audience.topic.update', { topic: 'offers', channels: ['sms'] });
    const { reach } = await svc.call('audience.contact.get', { contactId });
    expect(reach.map(({ channel, topic, reason }) => [channel, topic, reason])).to.deep.equal([
      ['email', null, null],
      ['email', 'news', 'topic_archived'],
      ['email', 'offers', 'topic_channel_missing'],
      ['sms', null, 'no_address'],
      ['sms', 'offers', 'no_address'],
    ]);
  });

  it('requires exactly one way of naming the contact', async () => {
    const { svc } = await platform.account();
    const { id } = await contactOf(svc, facts);
    for (const input of [{}, { contactId: id, email: 'ada@example.com' }, { email: 'ada' }, { contactId: 'ada' }])
      expect(await svc.refusal('audience.contact.get', input), JSON.stringify(input)).to.include({
        status: 400,
        code: 'invalid_input',
      });
  });

  it('answers alike for another environment’s contact and an unknown one', async () => {
    const { svc, svcTest } = await platform.account();
    const other = await platform.account();
    const { id } = await contactOf(svc, facts);
    const unknown = refusalBody(await svc.refusal('audience.contact.get', { contactId: newId() }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    const ways = [{ contactId: id }, { email: facts.email }, { phone: facts.phone }, { externalId: 'ada' }];
    for (const api of [svcTest, other.svc])
      for (const way of ways)
        expect(refusalBody(await api.refusal('audience.contact.get', way))).to.deep.equal(unknown);
  });
});
