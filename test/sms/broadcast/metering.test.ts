import { expect } from 'chai';
import { rollUp, usageOf } from '#test/billing/metering-support.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { sqlId } from '#test/email/support.js';
import { useTexts } from '../support.js';
import { mobile, reached, sendBroadcast, shown, subscribe, texter } from './support.js';

describe('The metering of broadcasts of texts', () => {
  const given = useTexts(usePrices([flat('sms.segment', '1', { country: 'DE' })]));
  const { platform } = given;

  it('charges the segments that were sent, however many they could have been, and nothing for what is not sent', async () => {
    const account = await texter(platform, '{{ nickname }}, the sale has begun.');
    await subscribe(account, [mobile(41), mobile(42)], { properties: { nickname: 'Ada' } });
    await subscribe(account, [mobile(43)], { properties: { nickname: 'x'.repeat(150) } });
    // Nobody knows this one's nickname: the text fails, and is given back.
    await subscribe(account, [mobile(44)]);
    const broadcastId = await sendBroadcast(account);
    await reached(account, broadcastId, 'sent');
    expect((await shown(account, broadcastId)).counts).to.deep.include({ recipients: 4, sent: 3, failed: 1 });
    await rollUp(platform);
    expect(await usageOf(account.svc)).to.deep.equal(['sms.segment 4 4.00']);
  });

  it('holds a broadcast that would cross the spending cap before a text is made; it goes on once the cap is raised', async () => {
    const account = await texter(platform);
    const { svc } = account;
    await subscribe(account, [mobile(51), mobile(52), mobile(53)]);
    await svc.call('billing.cap.set', { amount: '2' });
    // Prices differ by country: what it costs is known when its texts are made.
    const broadcastId = await sendBroadcast(account);
    await reached(account, broadcastId, 'held');
    expect(await shown(account, broadcastId)).to.deep.include({ holdReason: 'spending_cap' });
    expect(await platform.count('sms_message', `environment_id = ${sqlId(account.live.id)}`)).to.equal(0);
    await svc.call('billing.cap.set', { amount: '3' });
    await svc.call('sms.broadcast.resume', { broadcastId });
    await reached(account, broadcastId, 'sent');
    expect(await usageOf(svc)).to.deep.equal(['sms.segment 3 3.00']);
  });
});
