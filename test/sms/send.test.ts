import { expect } from 'chai';
import { hours, minutes, seconds } from '#test/support/clock.js';
import { itNeeding } from '#test/support/products.js';
import { twilioRefusals } from '#test/support/twilio.js';
import { ada, ownNumber, send, shown, text, useTexts } from './support.js';

describe('sms.send', () => {
  const texts = useTexts();
  const { platform } = texts;
  afterEach(() => texts.twilio.refusals.clear());

  it('answers with what it accepted, and hands the text to the provider', async () => {
    const { svc } = await platform.account();
    const sent = await send(svc, {
      to: '+49 1512 3456789',
      body: 'Your order is on its way. €5',
      tags: { order: 'A-1' },
    });
    expect(sent).to.deep.equal({
      messageId: sent.messageId,
      status: 'queued',
      blocked: null,
      to: ada,
      from: ownNumber,
      segments: 1,
      encoding: 'GSM-7',
    });
    await platform.settled();
    const [arrived, ...more] = texts.arrivalsOf(sent.messageId);
    expect(arrived).to.include({ to: ada, from: ownNumber, body: 'Your order is on its way. €5' });
    expect(more).to.deep.equal([]);
    expect(await shown(svc, sent.messageId)).to.deep.include({
      status: 'sent',
      sentAt: platform.clock.now().toISOString(),
      body: 'Your order is on its way. €5',
      tags: { order: 'A-1' },
      error: null,
    });
  });

  it('writes an audit record, and its events', async () => {
    const { svc, live } = await platform.account();
    const { activityId, result } = await svc.envelope('sms.send', text());
    await platform.settled();
    const events = (await platform.events(live)).filter(({ type }) => type.startsWith('sms.'));
    expect(events.map(({ type }) => type)).to.deep.equal(['sms.queued', 'sms.sent']);
    for (const event of events) expect(event).to.include({ subjectId: result.messageId, activityId });
    expect(events[1]?.data['message']).to.include({ status: 'sent', to: ada });
    const [activity] = (await svc.call('account.activity.list', { limit: 1 })).activities;
    expect(activity).to.include({ operation: 'sms.send', summary: 'Queued: a text message with 1 segment.' });
  });

  it('sends a template in the recipient’s language, with its variables', async () => {
    const { svc } = await platform.account();
    const locales = { en: { body: 'Order {{ number }} is here' }, de: { body: 'Bestellung {{ number }} ist da' } };
    await svc.call('sms.template.draft.save', { template: 'order.here', locales });
    expect(await svc.refusal('sms.send', { to: ada, template: 'order.here' })).to.include({
      status: 409,
      code: 'template_not_published',
    });
    await svc.call('sms.template.publish', { template: 'order.here' });
    const given = { to: ada, template: 'order.here', locale: 'de-AT' };
    const missing = await svc.refusal('sms.send', given);
    expect(missing).to.include({ status: 400, code: 'missing_variables' });
    expect(missing.details).to.deep.equal({ variables: ['number'] });
    const { messageId } = await svc.call('sms.send', { ...given, variables: { number: 'A-1' } });
    await platform.settled();
    expect(texts.arrivalsOf(messageId)[0]?.body).to.equal('Bestellung A-1 ist da');
    expect(await shown(svc, messageId)).to.include({
      template: 'order.here',
      templateVersion: 1,
      templateLocale: 'de',
    });
  });

  it('waits for sendAfter, sends at once when it has just passed, and refuses an earlier one', async () => {
    const { svc } = await platform.account();
    const at = (ms: number): string => new Date(platform.clock.now().getTime() + ms).toISOString();
    const later = await send(svc, { sendAfter: at(hours(1)) });
    const past = await send(svc, { sendAfter: at(-minutes(1)) });
    const refused = await svc.refusal('sms.send', { to: ada, body: 'Hi', sendAfter: at(-minutes(1) - 1) });
    expect(refused).to.deep.include({ code: 'invalid_input', details: { field: 'sendAfter' } });
    await platform.settled();
    expect([texts.arrivalsOf(later.messageId).length, texts.arrivalsOf(past.messageId).length]).to.deep.equal([0, 1]);
    platform.clock.advance(hours(1));
    await platform.settled();
    expect(texts.arrivalsOf(later.messageId)).to.have.length(1);
  });

  it('tries again after a temporary refusal, and gives up after four hours', async () => {
    const { svc, live } = await platform.account();
    texts.twilio.refusals.set(ada, twilioRefusals.queueFull);
    const { messageId } = await send(svc);
    await platform.settled();
    expect((await shown(svc, messageId)).status).to.equal('queued');
    texts.twilio.refusals.clear();
    platform.clock.advance(seconds(5));
    await platform.settled();
    expect(await shown(svc, messageId)).to.include({ status: 'sent', error: null });
    const { attempts } = await svc.call('sms.message.get', { messageId });
    expect(attempts.map(({ status, providerCode }) => [status, providerCode])).to.deep.equal([
      ['temporary', 21_611],
      ['sent', null],
    ]);

    texts.twilio.refusals.set(ada, twilioRefusals.queueFull);
    const hopeless = await send(svc);
    await platform.settled();
    platform.clock.advance(hours(4));
    await platform.settled();
    const message = await shown(svc, hopeless.messageId);
    expect(message).to.include({ status: 'failed', sentAt: null });
    expect(message.error).to.include({ code: '21611' });
    expect((await platform.events(live)).at(-1)).to.include({ type: 'sms.failed', subjectId: hopeless.messageId });
  });

  it('counts the four hours from the first attempt, when no worker ran before it', async () => {
    const { svc } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + seconds(10)).toISOString();
    const { messageId } = await send(svc, { sendAfter });
    await platform.restart({ SVC_ROLE: 'api' });
    platform.clock.advance(hours(5));
    texts.twilio.refusals.set(ada, twilioRefusals.queueFull);
    await platform.restart({ SVC_ROLE: 'all' });
    await platform.settled();
    expect((await shown(svc, messageId)).status).to.equal('queued');
    platform.clock.advance(hours(4));
    await platform.settled();
    expect((await shown(svc, messageId)).status).to.equal('failed');
  });

  it('fails at once when the provider refuses for good, with its code and words', async () => {
    const { svc } = await platform.account();
    texts.twilio.refusals.set(ada, twilioRefusals.invalidTo);
    const { messageId } = await send(svc);
    await platform.settled();
    const message = await shown(svc, messageId);
    expect(message.status).to.equal('failed');
    expect(message.error?.code).to.equal('21211');
    expect(message.error?.message).to.contain('not a valid phone number');
  });

  itNeeding('audience')('suppresses a number whose opt-out the carrier keeps', async () => {
    const { svc } = await platform.account();
    texts.twilio.refusals.set(ada, twilioRefusals.unsubscribed);
    const { messageId } = await send(svc);
    await platform.settled();
    expect((await shown(svc, messageId)).status).to.equal('failed');
    const { suppressions } = await svc.call('audience.suppression.list', {});
    expect(suppressions.map(({ phone, reason }) => [phone, reason])).to.deep.equal([[ada, 'stop']]);
    expect((await send(svc)).blocked).to.include({ reason: 'suppressed_recipient' });
  });

  it('leaves from the environment’s number, also when that changed since it was accepted', async () => {
    const { svc } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const waiting = await send(svc, { sendAfter });
    expect(waiting.from).to.equal(ownNumber);
    const { number } = await svc.call('sms.number.assign', { country: 'US' });
    expect((await send(svc)).from).to.equal(number.number);
    platform.clock.advance(hours(1));
    await platform.settled();
    expect(texts.arrivalsOf(waiting.messageId)[0]?.from).to.equal(number.number);
    expect((await shown(svc, waiting.messageId)).from).to.equal(number.number);
  });
});
