import { expect } from 'chai';
import { rollUp, usageOf } from '#test/billing/metering-support.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { minutes } from '#test/support/clock.js';
import { sqlId } from '#test/email/support.js';
import { useTexts } from '../support.js';
import { draft, mobile, reached, sendBroadcast, shown, subscribe, texter } from './support.js';

describe('The metering of broadcasts of texts', () => {
  const prices = usePrices([flat('sms.segment', '1', { country: 'DE' }), flat('sms.segment', '10', { country: 'CA' })]);
  const given = useTexts(async () => ({ ...(await prices()), SVC_SMS_ALLOWED_COUNTRIES: 'US,DE,CA' }));
  const { platform } = given;

  it('charges the segments that were sent, however many they could have been, and nothing for what is not sent', async () => {
    const account = await texter(platform, '{% if isFriend %}{{ nickname }}{% endif %}, the sale has begun.');
    await subscribe(account, [mobile(41), mobile(42)], { properties: { isFriend: true, nickname: 'Ada' } });
    await subscribe(account, [mobile(43)], { properties: { isFriend: true, nickname: 'x'.repeat(150) } });
    // Nobody knows this one's nickname: the text fails, and is given back.
    await subscribe(account, [mobile(44)], { properties: { isFriend: true } });
    const broadcastId = await sendBroadcast(account);
    await reached(account, broadcastId, 'sent');
    expect((await shown(account, broadcastId)).counts).to.deep.include({ recipients: 4, sent: 3, failed: 1 });
    await rollUp(platform);
    expect(await usageOf(account.svc)).to.deep.equal(['sms.segment 4 4.00']);
  });

  it('refuses a broadcast that would cross the spending cap, by the countries of those whom it would reach', async () => {
    const account = await texter(platform);
    const { svc } = account;
    // Canada and the US share a calling code; the US costs nothing here.
    await subscribe(account, [mobile(61), mobile(62), '+16045550134', '+12125550134']);
    await svc.call('audience.contact.upsert', { phone: '+16045550135' });
    await svc.call('billing.cap.set', { amount: '11.5' });
    const { broadcast, readiness } = await svc.call('sms.broadcast.create', draft());
    expect(readiness.problems.map(({ code }) => code)).to.deep.equal(['spending_cap_reached']);
    const refused = await svc.refusal('sms.broadcast.send', { broadcastId: broadcast.id });
    expect(refused).to.include({ status: 402, code: 'spending_cap_reached' });
    expect((await shown(account, broadcast.id)).status).to.equal('draft');
    await svc.call('billing.cap.set', { amount: '12' });
    await svc.call('sms.broadcast.send', { broadcastId: broadcast.id });
    await reached(account, broadcast.id, 'sent');
    expect(await usageOf(svc)).to.deep.equal(['sms.segment 4 12.00']);
  });

  it('says how its texts are counted where one with variables would cross the spending cap', async () => {
    const account = await texter(platform, 'Hello {{ contact.firstName | default: "you" }}.');
    const { svc } = account;
    await subscribe(account, [mobile(71), mobile(72)]);
    await svc.call('sms.settings.set', { maxSegments: 3 });
    await svc.call('billing.cap.set', { amount: '2' });
    const { broadcast, readiness } = await svc.call('sms.broadcast.create', draft());
    const [problem] = readiness.problems;
    expect(problem?.message).to.contain('up to 6.00 USD');
    expect(problem?.fix).to.contain('the maximum of 3 segments per message').and.to.contain('sms.settings.set');
    const { message } = await svc.refusal('sms.broadcast.send', { broadcastId: broadcast.id });
    expect(message).to.contain('would cost up to 6.00 USD');
    await svc.call('sms.settings.set', { maxSegments: 1 });
    await svc.call('sms.broadcast.send', { broadcastId: broadcast.id });
    await reached(account, broadcast.id, 'sent');
    expect(await usageOf(svc)).to.deep.equal(['sms.segment 2 2.00']);
  });

  it('limits its texts to the segments that it reserved, although maxSegments is raised before they are rendered', async () => {
    const account = await texter(platform, '{{ nickname }}, the sale has begun.');
    const { svc } = account;
    await svc.call('sms.settings.set', { maxSegments: 1 });
    await svc.call('billing.cap.set', { amount: '2' });
    await subscribe(account, [mobile(45)], { properties: { nickname: 'Ada' } });
    await subscribe(account, [mobile(46)], { properties: { nickname: 'x'.repeat(400) } });
    const scheduledAt = new Date(platform.clock.now().getTime() + minutes(5)).toISOString();
    const broadcastId = await sendBroadcast(account, { scheduledAt });
    await svc.call('sms.settings.set', { maxSegments: 6 });
    platform.clock.advance(minutes(5));
    await reached(account, broadcastId, 'sent');
    expect((await shown(account, broadcastId)).counts).to.deep.include({ recipients: 2, sent: 1, failed: 1 });
    const { messages } = await svc.call('sms.message.list', { broadcastId, status: 'failed' });
    expect(messages[0]?.error?.message).to.contain('above the limit of 1');
    await rollUp(platform);
    expect(await usageOf(svc)).to.deep.equal(['sms.segment 1 1.00']);
  });

  it('holds a scheduled broadcast that would cross the spending cap before a text is made; it goes on once the cap is raised', async () => {
    const account = await texter(platform);
    const { svc } = account;
    await subscribe(account, [mobile(51), mobile(52), mobile(53)]);
    await svc.call('billing.cap.set', { amount: '2' });
    const scheduledAt = new Date(platform.clock.now().getTime() + minutes(5)).toISOString();
    const broadcastId = await sendBroadcast(account, { scheduledAt });
    platform.clock.advance(minutes(5));
    await reached(account, broadcastId, 'held');
    expect(await shown(account, broadcastId)).to.deep.include({ holdReason: 'spending_cap' });
    expect(await platform.count('sms_message', `environment_id = ${sqlId(account.live.id)}`)).to.equal(0);
    await svc.call('billing.cap.set', { amount: '3' });
    await svc.call('sms.broadcast.resume', { broadcastId });
    await reached(account, broadcastId, 'sent');
    expect(await usageOf(svc)).to.deep.equal(['sms.segment 3 3.00']);
  });
});
