import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import { send, shown, useTexts } from '../support.js';

describe('delivery reports of texts whose delivery attempt is not recorded yet', () => {
  const texts = useTexts();
  const { platform } = texts;

  it('count once it is', async () => {
    const { svc } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + minutes(1)).toISOString();
    const { messageId, from, to } = await send(svc, { sendAfter });
    const { baseUrl } = platform.running.services.deployment;
    const statusCallback = `${baseUrl}/v1/sms/status?message=${messageId}`;
    const text = { sid: 'SM1', from: from ?? '', to, body: '', statusCallback };
    await texts.twilio.report(text, platform.running.address, { status: 'delivered' });
    expect(await shown(svc, messageId)).to.include({ status: 'queued', deliveredAt: null });
    platform.clock.advance(minutes(1));
    await platform.settled();
    expect(await shown(svc, messageId)).to.include({
      status: 'sent',
      deliveredAt: platform.clock.now().toISOString(),
    });
  });
});
