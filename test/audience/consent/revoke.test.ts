import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { refusalBody } from '#test/account/support.js';
import { hours } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { auditCount, auditOf, contactOf, eventsOf, concurrently, topicOf } from '../support.js';
import { storedState, rebuiltState, recordCount } from './rebuild.js';

describe('audience.consent.revoke', () => {
  const platform = usePlatform();
  const email = 'ada@example.com';
  const source = 'support call';
  const channel = 'email';

  /** An account with a contact that is subscribed to `news` by email. */
  async function subscribed(): Promise<TestAccount & { contactId: string }> {
    const account = await platform.account();
    await topicOf(account.svc);
    const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
    const { id: contactId } = await contactOf(account.svc, { email, phone: '+4915123456789', consents });
    platform.clock.advance(hours(1));
    return { ...account, contactId };
  }

  it('appends a record, with one event', async () => {
    const { svc, live, contactId } = await subscribed();
    const { activityId, result } = await svc.envelope('audience.consent.revoke', {
      email: 'ADA@example.com',
      topic: 'news',
      channel,
      source,
    });
    const now = platform.clock.now().toISOString();
    const { key } = await svc.call('developers.key.current', {});
    const [record] = result.consents;
    expect(result.consents).to.deep.equal([
      {
        id: record?.id,
        contactId,
        topic: 'news',
        channel: 'email',
        state: 'revoked',
        effective: true,
        source,
        wording: null,
        ip: null,
        givenAt: now,
        recordedAt: now,
        actor: { kind: 'key', id: key?.id, label: key?.name },
      },
    ]);
    const { consents } = await svc.call('audience.contact.get', { contactId });
    expect(consents).to.deep.equal([{ topic: 'news', channel: 'email', state: 'revoked', since: now, source }]);
    expect(await eventsOf(platform, live, 'audience.consent.revoked')).to.deep.equal([
      {
        type: 'audience.consent.revoked',
        subjectId: contactId,
        personId: contactId,
        activityId,
        data: { consent: record },
      },
    ]);
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'audience.consent.revoke',
      subject: `contact ${contactId}`,
      personId: contactId,
      summary: 'Revoked consent to news on email.',
      changes: [{ field: 'consent.email.news', from: 'granted', to: 'revoked' }],
    });
  });

  it('answers a repeat with the earlier record: a record of the repeat and its own audit record, no event', async () => {
    const { svc, live } = await subscribed();
    const input = { email, topic: 'news', channel, source } as const;
    const first = await svc.call('audience.consent.revoke', input);
    const before = await recordCount(platform, live, true);
    platform.clock.advance(hours(1));
    const again = await svc.call('audience.consent.revoke', { ...input, source: 'another call' });
    expect(again).to.deep.equal(first);
    expect(await recordCount(platform, live, true)).to.equal(before);
    expect(await recordCount(platform, live, false)).to.equal(1);
    expect(await eventsOf(platform, live, 'audience.consent.revoked')).to.have.length(1);
    expect(await auditCount(platform, live, 'audience.consent.revoke')).to.equal(2);
  });

  it('without a topic revokes every topic of the channel, including archived and never granted ones, on this channel only', async () => {
    const { svc, live, contactId } = await subscribed();
    await topicOf(svc, { key: 'offers' });
    await topicOf(svc, { key: 'texts', channels: ['sms'] });
    await topicOf(svc, { key: 'old' });
    await svc.call('audience.consent.grant', { email, topic: 'old', channel, source });
    await svc.call('audience.consent.grant', { email, topic: 'news', channel: 'sms', source });
    await svc.call('audience.topic.archive', { topic: 'old' });
    const { activityId, result } = await svc.envelope('audience.consent.revoke', { email, channel, source });
    const describeState = (each: { channel: string; topic: string; state: string }): string =>
      `${each.channel} ${each.topic} ${each.state}`;
    expect(result.consents.map(describeState)).to.deep.equal([
      'email news revoked',
      'email offers revoked',
      'email old revoked',
    ]);
    const { consents } = await svc.call('audience.contact.get', { contactId });
    expect(consents.map(describeState)).to.deep.equal([
      'email news revoked',
      'email offers revoked',
      'email old revoked',
      'sms news granted',
    ]);
    expect(await eventsOf(platform, live, 'audience.consent.revoked')).to.have.length(3);
    expect((await auditOf(platform, activityId)).summary).to.equal('Revoked every consent on email.');
    const again = await svc.call('audience.consent.revoke', { email, channel, source: 'once more' });
    expect(again).to.deep.equal(result);
    expect(await eventsOf(platform, live, 'audience.consent.revoked')).to.have.length(3);
  });

  it('without a topic revokes what is granted on a channel that its topic no longer has, and may have again', async () => {
    const { svc, contactId } = await subscribed();
    await svc.call('audience.topic.update', { topic: 'news', channels: ['sms'] });
    const { consents } = await svc.call('audience.consent.revoke', { email, channel, source });
    expect(consents.map(({ topic, state }) => [topic, state])).to.deep.equal([['news', 'revoked']]);
    await svc.call('audience.topic.update', { topic: 'news', channels: ['email', 'sms'] });
    const after = await svc.call('audience.contact.get', { contactId });
    expect(after.consents.map((each) => [each.channel, each.topic, each.state])).to.deep.equal([
      ['email', 'news', 'revoked'],
    ]);
  });

  it('returns earlier and new revocations, each with its own record', async () => {
    const { svc } = await subscribed();
    await topicOf(svc, { key: 'offers' });
    const [first] = (await svc.call('audience.consent.revoke', { email, topic: 'offers', channel, source })).consents;
    platform.clock.advance(hours(1));
    const { consents } = await svc.call('audience.consent.revoke', { email, channel, source: 'all' });
    expect(consents.map((each) => [each.topic, each.source])).to.deep.equal([
      ['news', 'all'],
      ['offers', source],
    ]);
    expect(consents[1]).to.deep.equal(first);
  });

  it('of a topic that was never granted outweighs older evidence recorded later', async () => {
    const { svc, live, contactId } = await subscribed();
    await topicOf(svc, { key: 'offers' });
    const early = new Date(platform.clock.now().getTime() - hours(1)).toISOString();
    await svc.call('audience.consent.revoke', { email, topic: 'offers', channel, source });
    const old = { topic: 'offers', channel, source: 'paper form', givenAt: early } as const;
    await svc.call('audience.consent.grant', { email, ...old });
    await contactOf(svc, { email, consents: [old] });
    const { consents } = await svc.call('audience.contact.get', { contactId });
    expect(consents.find(({ topic }) => topic === 'offers')?.state).to.equal('revoked');
    expect(await storedState(platform, live)).to.deep.equal(await rebuiltState(platform, live));
  });

  it('works for an archived topic, and on a channel that the topic does not have', async () => {
    const { svc } = await subscribed();
    await topicOf(svc, { key: 'texts', channels: ['sms'] });
    await svc.call('audience.topic.archive', { topic: 'news' });
    for (const topic of ['news', 'texts']) {
      const { consents } = await svc.call('audience.consent.revoke', { email, topic, channel, source });
      expect(consents.map(({ state }) => state)).to.deep.equal(['revoked']);
    }
  });

  it('revokes once under concurrent calls on two nodes', async () => {
    const { svc, live, keys } = await subscribed();
    const other = (await platform.secondNode()).as(keys.live.secret);
    const answers = await concurrently((index) =>
      (index % 2 ? svc : other).call('audience.consent.revoke', {
        email,
        channel,
        source: `index ${index}`,
        ...(index % 3 ? { topic: 'news' } : {}),
      }),
    );
    expect(new Set(answers.map((each) => JSON.stringify(each)))).to.have.property('size', 1);
    expect(await recordCount(platform, live)).to.equal(2);
    expect(await eventsOf(platform, live, 'audience.consent.revoked')).to.have.length(1);
  });

  it('requires exactly one way of naming the contact, a channel and a source', async () => {
    const { svc, live } = await subscribed();
    const wrong = [
      { channel, source },
      { email, phone: '+4915123456789', channel, source },
      { email, source },
      { email, channel, source: '' },
      { email, channel, source: 's'.repeat(201) },
      { email, channel: 'fax', source },
      { email, channel, source, topic: '' },
      { email, channel, source, givenAt: '2026-01-01T00:00:00Z' },
    ];
    for (const input of wrong)
      expect(await svc.refusal('audience.consent.revoke', input), JSON.stringify(input)).to.include({
        status: 400,
        code: 'invalid_input',
      });
    expect(await recordCount(platform, live)).to.equal(1);
  });

  it('answers alike for another environment’s contact or topic and an unknown one', async () => {
    const { svc, svcTest } = await subscribed();
    const { id: theirs } = await contactOf(svcTest, { email: 'bob@example.com' });
    const unknown = refusalBody(await svc.refusal('audience.consent.revoke', { contactId: newId(), channel, source }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    for (const selector of [{ contactId: theirs }, { email: 'bob@example.com' }])
      expect(refusalBody(await svc.refusal('audience.consent.revoke', { ...selector, channel, source }))).to.deep.equal(
        unknown,
      );
    const noTopic = refusalBody(
      await svc.refusal('audience.consent.revoke', { email, topic: 'theirs', channel, source }),
    );
    expect(noTopic).to.include({ status: 404, code: 'not_found' });
    await topicOf(svcTest, { key: 'theirs' });
    const foreign = await svc.refusal('audience.consent.revoke', { email, topic: 'theirs', channel, source });
    expect(refusalBody(foreign)).to.deep.equal(noTopic);
  });
});
