import { expect } from 'chai';
import { refusalBody } from '#test/account/support.js';
import { usePlatform } from '#test/support/platform.js';
import { contactOf, topicOf } from '../support.js';

describe('audience.topic.get', () => {
  const platform = usePlatform();

  it('shows a topic with how many contacts are subscribed on each channel now', async () => {
    const { svc } = await platform.account();
    const topic = await topicOf(svc);
    await topicOf(svc, { key: 'offers' });
    const source = 'form';
    for (const [index, phone] of ['+4915123456789', '+4915123456788', '+4915123456787'].entries()) {
      const { id: contactId } = await contactOf(svc, { email: `c${index}@example.com`, phone });
      for (const channel of ['email', 'sms'] as const)
        await svc.call('audience.consent.grant', { contactId, topic: 'news', channel, source });
    }
    await svc.call('audience.consent.grant', { email: 'c0@example.com', topic: 'offers', channel: 'email', source });
    await svc.call('audience.consent.revoke', { email: 'c0@example.com', topic: 'news', channel: 'email', source });
    await svc.call('audience.consent.revoke', { email: 'c1@example.com', channel: 'email', source });
    expect(await svc.call('audience.topic.get', { topic: 'news' })).to.deep.equal({
      topic,
      granted: { email: 1, sms: 3 },
    });
    await svc.call('audience.consent.grant', { email: 'c0@example.com', topic: 'news', channel: 'email', source });
    // Not later than the opt-out, which has the same time.
    expect((await svc.call('audience.topic.get', { topic: 'news' })).granted.email).to.equal(1);
    platform.clock.advance(1);
    await svc.call('audience.consent.grant', { email: 'c0@example.com', topic: 'news', channel: 'email', source });
    expect((await svc.call('audience.topic.get', { topic: 'news' })).granted).to.deep.equal({ email: 2, sms: 3 });
  });

  it('counts only on the channels that the topic has', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    const consents = (['email', 'sms'] as const).map((channel) => ({ topic: 'news', channel, source: 'form' }));
    await contactOf(svc, { email: 'ada@example.com', phone: '+4915123456789', consents });
    await svc.call('audience.topic.update', { topic: 'news', channels: ['email'] });
    expect((await svc.call('audience.topic.get', { topic: 'news' })).granted).to.deep.equal({ email: 1, sms: 0 });
    await svc.call('audience.topic.update', { topic: 'news', channels: ['email', 'sms'] });
    expect((await svc.call('audience.topic.get', { topic: 'news' })).granted).to.deep.equal({ email: 1, sms: 1 });
  });

  it('counts nobody who was erased, and nobody of another environment', async () => {
    const { svc, svcTest } = await platform.account();
    for (const api of [svc, svcTest]) {
      await topicOf(api);
      const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
      await contactOf(api, { email: 'ada@example.com', consents });
      await contactOf(api, { email: 'bob@example.com', consents });
    }
    const { contact } = await svc.call('audience.contact.get', { email: 'ada@example.com' });
    await svc.call('audience.contact.delete', { contactId: contact.id });
    expect((await svc.call('audience.topic.get', { topic: 'news' })).granted).to.deep.equal({ email: 1, sms: 0 });
    expect((await svcTest.call('audience.topic.get', { topic: 'news' })).granted).to.deep.equal({ email: 2, sms: 0 });
  });

  it('shows an archived topic, with the consents that restoring it would bring back', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    await contactOf(svc, { email: 'ada@example.com', consents: [{ topic: 'news', channel: 'email', source: 'form' }] });
    const { topic } = await svc.call('audience.topic.archive', { topic: 'news' });
    const shown = await svc.call('audience.topic.get', { topic: 'news' });
    expect(shown).to.deep.equal({ topic, granted: { email: 1, sms: 0 } });
  });

  it('compares the key exactly', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    for (const topic of ['News', 'NEWS', 'news ', 'new', 'ｎｅｗｓ', 'n'.repeat(64)])
      expect(await svc.refusal('audience.topic.get', { topic }), topic).to.include({ status: 404, code: 'not_found' });
  });

  it('answers alike for another environment’s topic and an unknown one', async () => {
    const { svc, svcTest } = await platform.account();
    const unknown = refusalBody(await svc.refusal('audience.topic.get', { topic: 'news' }));
    await topicOf(svcTest);
    expect(refusalBody(await svc.refusal('audience.topic.get', { topic: 'news' }))).to.deep.equal(unknown);
  });
});
