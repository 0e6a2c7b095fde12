import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { refusalBody } from '#test/account/support.js';
import { hours, minutes } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { auditOf, contactOf, eventsOf, concurrently, topicOf } from '../support.js';
import { suppress } from '../suppression/support.js';
import { storedState, rebuiltState, recordCount } from './rebuild.js';

describe('audience.consent.grant', () => {
  const platform = usePlatform();
  const email = 'ada@example.com';
  const news = { email, topic: 'news', channel: 'email' as const, source: 'checkout form' };

  /** An account with a contact and a topic. */
  async function ready(): Promise<TestAccount & { contactId: string }> {
    const account = await platform.account();
    await topicOf(account.svc);
    const { id: contactId } = await contactOf(account.svc, { email, phone: '+4915123456789' });
    return { ...account, contactId };
  }
  const ago = (ms: number): string => new Date(platform.clock.now().getTime() - ms).toISOString();

  it('appends a record with its evidence: source, wording, time, IP address and actor', async () => {
    const { svc, live, contactId } = await ready();
    const givenAt = ago(hours(1));
    const { activityId, result } = await svc.envelope('audience.consent.grant', {
      ...news,
      wording: 'Yes, send me news once a month.',
      givenAt,
      ip: '2001:db8::7',
    });
    const { key } = await svc.call('developers.key.current', {});
    expect(result.consent).to.deep.equal({
      id: result.consent.id,
      contactId,
      topic: 'news',
      channel: 'email',
      state: 'granted',
      effective: true,
      source: 'checkout form',
      wording: 'Yes, send me news once a month.',
      ip: '2001:db8::7',
      givenAt,
      recordedAt: platform.clock.now().toISOString(),
      actor: { kind: 'key', id: key?.id, label: key?.name },
    });
    expect((await svc.call('audience.consent.list', {})).consents).to.deep.equal([result.consent]);
    const { consents } = await svc.call('audience.contact.get', { contactId });
    expect(consents).to.deep.equal([
      { topic: 'news', channel: 'email', state: 'granted', since: givenAt, source: 'checkout form' },
    ]);
    expect(await eventsOf(platform, live, 'audience.consent.')).to.deep.equal([
      { type: 'audience.consent.granted', subjectId: contactId, personId: contactId, activityId, data: result },
    ]);
    const audit = await auditOf(platform, activityId);
    expect(audit).to.deep.equal({
      operation: 'audience.consent.grant',
      subject: `contact ${contactId}`,
      personId: contactId,
      summary: 'Recorded consent to news on email.',
      changes: [{ field: 'consent.email.news', from: null, to: 'granted' }],
    });
  });

  it('defaults to now, without wording and IP address', async () => {
    const { svc, contactId } = await ready();
    const { email: _address, ...rest } = news;
    const { consent } = await svc.call('audience.consent.grant', { ...rest, contactId });
    expect(consent).to.include({ wording: null, ip: null, givenAt: platform.clock.now().toISOString() });
    const bySms = await svc.call('audience.consent.grant', { ...rest, phone: '+49 1512 3456789', channel: 'sms' });
    expect(bySms.consent).to.include({ contactId, channel: 'sms' });
  });

  it('records a repeated grant as further evidence, without a change or an event', async () => {
    const { svc, live, contactId } = await ready();
    const first = await svc.call('audience.consent.grant', { ...news, givenAt: ago(hours(2)) });
    platform.clock.advance(minutes(1));
    const second = await svc.call('audience.consent.grant', { ...news, source: 'till', givenAt: ago(hours(1)) });
    expect(second.consent).to.include({ state: 'granted', source: 'till' });
    expect(second.consent.id).not.to.equal(first.consent.id);
    const { consents } = await svc.call('audience.consent.list', { contactId });
    expect(consents.map(({ source }) => source)).to.deep.equal(['till', 'checkout form']);
    const shown = await svc.call('audience.contact.get', { contactId });
    expect(shown.consents[0]).to.include({ since: first.consent.givenAt, source: 'checkout form' });
    expect(await eventsOf(platform, live, 'audience.consent.')).to.have.length(1);
    expect(await recordCount(platform, live, true)).to.equal(1);
  });

  it('records a grant that is not later than the current revocation, without changing the state', async () => {
    const { svc, live, contactId } = await ready();
    await svc.call('audience.consent.grant', { ...news, givenAt: ago(hours(2)) });
    const revoke = { email, topic: 'news', channel: 'email' as const, source: 'call' };
    await svc.call('audience.consent.revoke', revoke);
    const state = async (): Promise<string | undefined> =>
      (await svc.call('audience.contact.get', { contactId })).consents[0]?.state;
    for (const givenAt of [ago(hours(1)), ago(1), ago(0), undefined]) {
      const { consent } = await svc.call('audience.consent.grant', { ...news, ...(givenAt ? { givenAt } : {}) });
      expect(consent).to.include({ state: 'granted', contactId });
      expect(await state(), givenAt).to.equal('revoked');
    }
    expect(await eventsOf(platform, live, 'audience.consent.granted')).to.have.length(1);
    expect(await recordCount(platform, live)).to.equal(6);
    platform.clock.advance(1);
    await svc.call('audience.consent.grant', news);
    expect(await state()).to.equal('granted');
    expect(await eventsOf(platform, live, 'audience.consent.granted')).to.have.length(2);
    expect(await storedState(platform, live)).to.deep.equal(await rebuiltState(platform, live));
  });

  it('does not affect other topics and channels', async () => {
    const { svc, contactId } = await ready();
    await topicOf(svc, { key: 'offers' });
    await svc.call('audience.consent.grant', news);
    await svc.call('audience.consent.revoke', { email, topic: 'news', channel: 'sms', source: 'call' });
    await svc.call('audience.consent.grant', { ...news, topic: 'offers' });
    await svc.call('audience.consent.revoke', { email, topic: 'offers', channel: 'email', source: 'call' });
    const { consents } = await svc.call('audience.contact.get', { contactId });
    expect(consents.map(({ channel, topic, state }) => `${channel} ${topic} ${state}`)).to.deep.equal([
      'email news granted',
      'email offers revoked',
      'sms news revoked',
    ]);
  });

  it('is refused while the person’s own suppression of the channel is active', async () => {
    const { svc, live, contactId } = await ready();
    for (const reason of ['unsubscribe', 'complaint'] as const) {
      const address = `${reason}@example.com`;
      await contactOf(svc, { email: address });
      await suppress(platform, live, { channel: 'email', address, reason });
      const before = await recordCount(platform, live);
      const refused = await svc.refusal('audience.consent.grant', { ...news, email: address });
      expect(refused).to.include({ status: 403, code: 'suppression_standing' });
      expect(refused.message).to.contain(reason).and.to.contain('email');
      expect(refused.fix).to.contain('audience.preferences.link');
      expect(await recordCount(platform, live)).to.equal(before);
    }
    await suppress(platform, live, { channel: 'sms', address: '+4915123456789', reason: 'stop' });
    const sms = { ...news, channel: 'sms' };
    const stopped = await svc.refusal('audience.consent.grant', sms);
    expect(stopped).to.include({ status: 403, code: 'suppression_standing' });
    expect(stopped.fix).to.contain('text START');
    // STOP applies to sms only.
    await svc.call('audience.consent.grant', news);
    expect((await eventsOf(platform, live, 'audience.consent.')).map(({ subjectId }) => subjectId)).to.deep.equal([
      contactId,
    ]);
  });

  it('lifts no suppression: a bounced or manually suppressed address stays suppressed', async () => {
    const { svc, live, contactId } = await ready();
    await suppress(platform, live, { channel: 'email', address: email, reason: 'bounce' });
    await svc.call('audience.suppression.add', { email });
    await svc.call('audience.consent.grant', news);
    const { consents, suppressions } = await svc.call('audience.contact.get', { contactId });
    expect(consents.map(({ state }) => state)).to.deep.equal(['granted']);
    expect(suppressions.map(({ reason }) => reason)).to.have.members(['bounce', 'manual']);
  });

  it('requires a topic that exists, is not archived and has the channel', async () => {
    const { svc, svcTest } = await ready();
    await topicOf(svc, { key: 'texts', channels: ['sms'] });
    await topicOf(svcTest, { key: 'theirs' });
    const wrongChannel = await svc.refusal('audience.consent.grant', { ...news, topic: 'texts' });
    expect(wrongChannel).to.include({ status: 400, code: 'invalid_input' });
    expect(wrongChannel.details).to.deep.equal({ field: 'channel' });
    for (const topic of ['theirs', 'none'])
      expect(await svc.refusal('audience.consent.grant', { ...news, topic })).to.include({
        status: 404,
        code: 'not_found',
      });
    await svc.call('audience.topic.archive', { topic: 'news' });
    expect(await svc.refusal('audience.consent.grant', news)).to.include({ status: 409, code: 'topic_archived' });
  });

  it('refuses a time in the future, an invalid address and missing fields', async () => {
    const { svc, live } = await ready();
    const wrong: readonly (readonly [object, string])[] = [
      [{ givenAt: ago(-minutes(5) - 1) }, 'givenAt'],
      [{ givenAt: 'yesterday' }, 'givenAt'],
      [{ ip: '203.0.113' }, 'ip'],
      [{ ip: '203.0.113.7:80' }, 'ip'],
      [{ source: '' }, 'source'],
      [{ source: 's'.repeat(201) }, 'source'],
      [{ source: undefined }, 'source'],
      [{ wording: 'w'.repeat(2001) }, 'wording'],
      [{ channel: 'fax' }, 'channel'],
      [{ topic: '' }, 'topic'],
    ];
    for (const [fields, field] of wrong) {
      const refused = await svc.refusal('audience.consent.grant', { ...news, ...fields });
      expect(refused, JSON.stringify(fields)).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details).to.deep.equal({ field });
    }
    const both = { ...news, phone: '+4915123456789' };
    expect(await svc.refusal('audience.consent.grant', both)).to.include({ status: 400, code: 'invalid_input' });
    expect(await recordCount(platform, live)).to.equal(0);
    // A time slightly in the future is taken as now, so that it cannot outweigh a later opt-out.
    const { consent } = await svc.call('audience.consent.grant', { ...news, givenAt: ago(-minutes(5)) });
    expect(consent.givenAt).to.equal(platform.clock.now().toISOString());
  });

  it('changes the state once under twenty concurrent grants: twenty records, one event', async () => {
    const { svc, live } = await ready();
    await concurrently((index) => svc.call('audience.consent.grant', { ...news, source: `form ${index}` }));
    expect(await recordCount(platform, live)).to.equal(20);
    expect(await recordCount(platform, live, true)).to.equal(1);
    expect(await eventsOf(platform, live, 'audience.consent.granted')).to.have.length(1);
    expect(await storedState(platform, live)).to.deep.equal(await rebuiltState(platform, live));
  });

  it('answers alike for another environment’s contact and an unknown one', async () => {
    const { svc, svcTest } = await ready();
    const { email: _address, ...rest } = news;
    const { id: theirs } = await contactOf(svcTest, { email: 'bob@example.com' });
    const unknown = refusalBody(await svc.refusal('audience.consent.grant', { ...rest, contactId: newId() }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    for (const selector of [{ contactId: theirs }, { email: 'bob@example.com' }])
      expect(refusalBody(await svc.refusal('audience.consent.grant', { ...rest, ...selector }))).to.deep.equal(unknown);
  });
});
