import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { itNeeding } from '#test/support/products.js';
import { ada, ownNumber, register, send, shown, suppress, useTexts } from './support.js';
import { useTwilio } from './twilio-platform.js';

describe('sms.send: why a text is stored and not sent', () => {
  const texts = useTexts();
  const { platform } = texts;
  const later = (): string => new Date(platform.clock.now().getTime() + hours(1)).toISOString();
  const due = async (): Promise<void> => {
    platform.clock.advance(hours(1));
    await platform.settled();
  };

  itNeeding('audience')(
    'the recipient is suppressed: STOP ends every text, an unsubscription those under a topic',
    async () => {
      const { svc, live } = await platform.account();
      await suppress(platform, live, ada, 'stop');
      const stopped = await send(svc);
      expect(stopped).to.include({ status: 'suppressed', segments: 1 });
      expect(stopped.blocked).to.include({ reason: 'suppressed_recipient' });
      const bob = '+4915123456780';
      await suppress(platform, live, bob, 'unsubscribe');
      expect((await send(svc, { to: bob })).status).to.equal('queued');
      await platform.settled();
      expect(texts.arrivalsOf(stopped.messageId)).to.deep.equal([]);
      const events = (await platform.events(live)).map(({ type }) => type);
      expect(events.filter((type) => type === 'sms.suppressed')).to.have.length(1);
    },
  );

  itNeeding('audience')('STOP counts for a text that was accepted before it', async () => {
    const { svc, live } = await platform.account();
    const { messageId } = await send(svc, { sendAfter: later() });
    await suppress(platform, live, ada, 'stop');
    await due();
    expect(texts.arrivalsOf(messageId)).to.deep.equal([]);
    const message = await shown(svc, messageId);
    expect(message.status).to.equal('suppressed');
    expect(message.blocked).to.include({ reason: 'suppressed_recipient' });
  });

  itNeeding('audience')('the topic was not granted on sms, or is withdrawn before the text leaves', async () => {
    const { svc } = await platform.account();
    await svc.call('audience.topic.create', { key: 'news', name: 'News', channels: ['sms'] });
    expect((await send(svc, { topic: 'news' })).blocked).to.include({ reason: 'no_consent' });
    const consents = [{ topic: 'news', channel: 'sms' as const, source: 'form' }];
    const { contact } = await svc.call('audience.contact.upsert', { phone: ada, consents });
    platform.clock.advance(1_000);
    const { messageId, status } = await send(svc, { topic: 'news', sendAfter: later() });
    expect(status).to.equal('queued');
    const kept = await send(svc, { topic: 'news' });
    await platform.settled();
    expect(await shown(svc, kept.messageId)).to.include({ status: 'sent', contactId: contact.id, topic: 'news' });
    await svc.call('audience.consent.revoke', { contactId: contact.id, topic: 'news', channel: 'sms', source: 'call' });
    await due();
    expect((await shown(svc, messageId)).blocked).to.include({ reason: 'no_consent' });
    expect(texts.arrivalsOf(messageId)).to.deep.equal([]);
    expect(await svc.refusal('sms.send', { to: ada, body: 'Hi', topic: 'nothing' })).to.include({ code: 'not_found' });
    await svc.call('audience.topic.archive', { topic: 'news' });
    expect(await svc.refusal('sms.send', { to: ada, body: 'Hi', topic: 'news' })).to.include({
      code: 'topic_archived',
    });
  });

  itNeeding('audience')('the person was never asked, or said no: message, fix and details tell which', async () => {
    const { svc } = await platform.account();
    await svc.call('audience.topic.create', { key: 'news', name: 'News', channels: ['sms'] });
    const never = await send(svc, { topic: 'news' });
    expect(never.blocked?.details).to.deep.equal({ rule: 'never_asked', since: null, source: null, recordId: null });
    expect(never.blocked?.fix).to.match(/^Record the consent with audience\.consent\.grant \(channel sms\)/);
    const consents = [{ topic: 'news', channel: 'sms' as const, source: 'form' }];
    const { contact } = await svc.call('audience.contact.upsert', { phone: ada, consents });
    platform.clock.advance(1_000);
    const waiting = await send(svc, { topic: 'news', sendAfter: later() });
    const no = { contactId: contact.id, topic: 'news', channel: 'sms' as const, source: 'call' };
    const { consents: records } = await svc.call('audience.consent.revoke', no);
    await due();
    const said = { rule: 'opted_out', since: records[0]?.givenAt, source: 'call', recordId: records[0]?.id };
    for (const { blocked } of [await send(svc, { topic: 'news' }), await shown(svc, waiting.messageId)]) {
      expect(blocked).to.deep.include({ reason: 'no_consent', details: said });
      expect(blocked?.message).to.match(/unsubscribed from the topic “news” on sms on .* \(source: call\)/);
      expect(blocked?.fix).to.match(/^Do not send it/);
    }
  });

  it('a test environment sends no texts', async () => {
    const { svcTest } = await platform.account();
    const { messageId, blocked } = await send(svcTest);
    expect(blocked).to.include({ reason: 'test_environment' });
    await platform.settled();
    expect(texts.arrivalsOf(messageId)).to.deep.equal([]);
    expect((await shown(svcTest, messageId)).status).to.equal('suppressed');
  });
});

describe('sms.send in a new project', () => {
  const given = useTwilio();
  const { platform } = given;

  it('is blocked until a registration was filed, and until there is a number', async () => {
    const { svc, live } = await platform.account();
    const first = await send(svc);
    expect(first).to.include({ status: 'suppressed', from: null });
    expect(first.blocked).to.include({ reason: 'registration_required' });
    expect(first.blocked?.fix).to.contain('sms.registration.submit');
    await register(platform, live, 'submitted');
    const second = await send(svc);
    expect(second.blocked).to.include({ reason: 'no_number' });
    expect(second.blocked?.fix).to.contain('sms.number.assign');
    const { number } = await svc.call('sms.number.assign', { country: 'US' });
    expect(await send(svc)).to.include({ status: 'queued', from: number.number });
    await platform.settled();
    expect(given.twilio.texts.map(({ from, to }) => [from, to])).to.deep.equal([[number.number, ada]]);
  });

  it('is blocked again when the registration failed, also for texts that were accepted before', async () => {
    const { svc, live } = await platform.account();
    await register(platform, live, 'active');
    await svc.call('sms.number.assign', { country: 'US' });
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const { messageId, status } = await send(svc, { sendAfter });
    expect(status).to.equal('queued');
    await register(platform, live, 'failed');
    const refused = await send(svc);
    expect(refused.blocked).to.include({ reason: 'registration_required' });
    expect(refused.blocked?.fix).to.contain('resubmit with sms.registration.submit');
    platform.clock.advance(hours(1));
    await platform.settled();
    expect((await shown(svc, messageId)).blocked).to.include({ reason: 'registration_required' });
  });
});

describe('sms.send from the deployment’s own number', () => {
  const { platform } = useTexts();

  it('tells it in its answer', async () => {
    const { svc } = await platform.account();
    expect((await send(svc)).from).to.equal(ownNumber);
  });
});
