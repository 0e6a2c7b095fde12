import { expect } from 'chai';
import { hours, minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { sqlId } from '#test/email/support.js';
import { publish } from '../template/support.js';
import { useTexts } from '../support.js';
import { draft, mobile, problemsOf, reached, sendBroadcast, shown, subscribe, texter } from './support.js';

describe('sms.broadcast.send', () => {
  const given = useTexts();
  const { platform } = given;

  const to = (number: string): string[] =>
    given.twilio.texts.filter((text) => text.to === number).map(({ body }) => body);

  it('sends everybody who granted the topic a text of their own, and nobody else', async () => {
    const account = await texter(platform, 'Hi {{ contact.firstName }}: {{ percent }} % at {{ shop }}');
    const { svc, live } = account;
    await subscribe(account, [mobile(1)], { firstName: 'Ada', properties: { shop: 'Acme' } });
    await subscribe(account, [mobile(2)], { firstName: 'Bob' });
    await subscribe(account, [mobile(3)]);
    await svc.call('audience.contact.upsert', { phone: mobile(4) });
    await svc.call('audience.suppression.add', { phone: mobile(3) });
    const { broadcast } = await svc.call(
      'sms.broadcast.create',
      draft({ variables: { percent: 20, shop: 'our shop' } }),
    );
    const sent = await svc.call('sms.broadcast.send', { broadcastId: broadcast.id });
    expect(sent.recipients).to.equal(2);
    expect(sent.broadcast).to.deep.include({ status: 'sending', templateVersion: 1 });
    await reached(account, broadcast.id, 'sent');
    expect((await shown(account, broadcast.id)).counts).to.deep.include({ recipients: 2, sent: 2, queued: 0 });
    expect(to(mobile(1))).to.deep.equal(['Hi Ada: 20 % at Acme']);
    expect(to(mobile(2))).to.deep.equal(['Hi Bob: 20 % at our shop']);
    expect([...to(mobile(3)), ...to(mobile(4))]).to.deep.equal([]);
    const { messages } = await svc.call('sms.message.list', { broadcastId: broadcast.id });
    expect(messages.map(({ body, segments, encoding, from }) => [body, segments, encoding, from])).to.have.deep.members(
      [
        ['Hi Ada: 20 % at Acme', 1, 'GSM-7', '+12125550100'],
        ['Hi Bob: 20 % at our shop', 1, 'GSM-7', '+12125550100'],
      ],
    );
    await platform.settled();
    const types = (await platform.events(live)).map(({ type }) => type);
    expect(types.filter((type) => type === 'sms.queued')).to.have.length(2);
    expect(types.filter((type) => type === 'sms.sent')).to.have.length(2);
  });

  it('keeps whom it left out and why, as they were when its messages were made', async () => {
    const account = await texter(platform);
    const { svc } = account;
    const [, , no = ''] = await subscribe(account, [mobile(81), mobile(82), mobile(83)]);
    await svc.call('audience.contact.upsert', { phone: mobile(84) });
    await svc.call('audience.suppression.add', { phone: mobile(82) });
    await svc.call('audience.consent.revoke', { contactId: no, topic: 'offers', channel: 'sms', source: 'call' });
    const broadcastId = await sendBroadcast(account);
    await reached(account, broadcastId, 'sent');
    await svc.call('audience.contact.upsert', { phone: mobile(85) });
    expect((await shown(account, broadcastId)).audience).to.deep.equal({
      eligible: 1,
      neverAsked: 1,
      optedOut: 1,
      suppressed: 1,
      exact: true,
    });
  });

  it('writes in the contact’s language, else the project’s, and counts the segments of each text', async () => {
    const account = await texter(platform);
    await publish(account.svc, 'sale', { en: { body: 'Hello' }, de: { body: 'Größer 😀' } });
    await subscribe(account, [mobile(11)], { locale: 'de-AT' });
    await subscribe(account, [mobile(12)]);
    const broadcastId = await sendBroadcast(account);
    await reached(account, broadcastId, 'sent');
    expect([to(mobile(11)), to(mobile(12))]).to.deep.equal([['Größer 😀'], ['Hello']]);
    const { messages } = await account.svc.call('sms.message.list', { broadcastId });
    expect(
      messages.map(({ to: number, templateLocale, encoding }) => [number, templateLocale, encoding]),
    ).to.have.deep.members([
      [mobile(11), 'de', 'UCS-2'],
      [mobile(12), 'en', 'GSM-7'],
    ]);
  });

  it('fails recipients without a variable, with too long a text or in a country that is not allowed, and goes on', async () => {
    // Readiness does not count contacts without a variable that is under a condition.
    const account = await texter(platform, '{% if isMember %}{{ code }}{% endif %}');
    await subscribe(account, [mobile(21)], { properties: { isMember: true, code: 'ABC' } });
    await subscribe(account, [mobile(22)], { properties: { isMember: true } });
    await subscribe(account, [mobile(23)], { properties: { isMember: true, code: 'long '.repeat(90) } });
    await subscribe(account, ['+33612345678'], { properties: { isMember: true, code: 'FR' } });
    await account.svc.call('sms.settings.set', { maxSegments: 2 });
    const broadcastId = await sendBroadcast(account);
    await reached(account, broadcastId, 'sent');
    expect((await shown(account, broadcastId)).counts).to.deep.include({ recipients: 4, sent: 1, failed: 3 });
    const { messages } = await account.svc.call('sms.message.list', { broadcastId, status: 'failed' });
    const errors = Object.fromEntries(messages.map(({ to: number, error }) => [number, error?.code]));
    expect(errors).to.deep.equal({
      [mobile(22)]: 'missing_variables',
      [mobile(23)]: 'sms_too_long',
      '+33612345678': 'destination_not_allowed',
    });
    expect(given.twilio.texts.filter(({ to: number }) => [mobile(22), mobile(23)].includes(number))).to.deep.equal([]);
  });

  it('is sent at its time, with the template as it was when it was scheduled', async () => {
    const account = await texter(platform, 'First');
    await subscribe(account, [mobile(31)]);
    const scheduledAt = new Date(platform.clock.now().getTime() + hours(2)).toISOString();
    const broadcastId = await sendBroadcast(account, { scheduledAt });
    expect((await shown(account, broadcastId)).status).to.equal('scheduled');
    await publish(account.svc, 'sale', { en: { body: 'Second' } });
    expect((await account.svc.refusal('sms.template.delete', { template: 'sale' })).code).to.equal('template_in_use');
    platform.clock.advance(hours(3));
    await reached(account, broadcastId, 'sent');
    expect(to(mobile(31))).to.deep.equal(['First']);
    await account.svc.call('sms.template.delete', { template: 'sale' });
  });

  it('refuses a time that has passed, in a draft and when a draft is sent', async () => {
    const { svc } = await texter(platform);
    const inMs = (ms: number): string => new Date(platform.clock.now().getTime() + ms).toISOString();
    const past = { code: 'invalid_input', details: { field: 'scheduledAt' } };
    const late = draft({ scheduledAt: inMs(-minutes(1) - 1) });
    expect(await svc.refusal('sms.broadcast.create', late)).to.deep.include(past);
    await subscribe({ svc }, [mobile(35)]);
    const { broadcast } = await svc.call('sms.broadcast.create', draft({ scheduledAt: inMs(hours(1)) }));
    platform.clock.advance(hours(1) + minutes(1) + 1);
    const shownNow = await svc.call('sms.broadcast.get', { broadcastId: broadcast.id });
    expect(problemsOf(shownNow)).to.deep.equal(['schedule_passed']);
    const refused = await svc.refusal('sms.broadcast.send', { broadcastId: broadcast.id });
    expect(refused).to.deep.include(past);
    expect(refused.fix).to.contain('sms.broadcast.create');
    await platform.settled();
    expect(to(mobile(35))).to.deep.equal([]);
  });

  it('refuses a broadcast that is not a draft, and another environment’s', async () => {
    const account = await texter(platform);
    await subscribe(account, [mobile(41)]);
    const broadcastId = await sendBroadcast(account);
    const again = await account.svc.refusal('sms.broadcast.send', { broadcastId });
    expect(again).to.include({ code: 'broadcast_not_draft', status: 409 });
    expect((await account.svcTest.refusal('sms.broadcast.send', { broadcastId })).code).to.equal('not_found');
  });

  it('leaves out who stops while it waits, and counts them', async () => {
    const account = await texter(platform);
    const [first = ''] = await subscribe(account, [mobile(51), mobile(52), mobile(53)]);
    given.twilio.refusals.set('*', { status: 429, code: 20_429, message: 'Too Many Requests' });
    const broadcastId = await sendBroadcast(account);
    await eventually(
      async () =>
        (await platform.count(
          'sms_attempt',
          `message_id IN (SELECT id FROM sms_message WHERE broadcast_id = ${sqlId(broadcastId)})`,
        )) === 3,
      'each text was tried once',
    );
    await account.svc.call('audience.consent.revoke', {
      contactId: first,
      topic: 'offers',
      channel: 'sms',
      source: 'form',
    });
    await account.svc.call('audience.suppression.add', { phone: mobile(52) });
    given.twilio.refusals.clear();
    platform.clock.advance(hours(1));
    await reached(account, broadcastId, 'sent');
    expect((await shown(account, broadcastId)).counts).to.deep.include({ recipients: 3, suppressed: 2, sent: 1 });
    expect([to(mobile(51)), to(mobile(52)), to(mobile(53))]).to.deep.equal([[], [], ['Sale!']]);
  });
});
