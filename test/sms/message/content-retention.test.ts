import { expect } from 'chai';
import plugin from '#plugins/sms/index.js';
import { days } from '#test/support/clock.js';
import { send, shown, useTexts } from '../support.js';

describe('Retention of what texts say', () => {
  const texts = useTexts(async () => ({ SVC_CONTENT_RETENTION_DAYS: '7' }));
  const { platform } = texts;

  it('deletes it after the configured time, says so, and keeps the rest', async () => {
    const { svc } = await platform.account();
    const { messageId } = await send(svc, { body: 'Hello' });
    const sendAfter = new Date(platform.clock.now().getTime() + days(20)).toISOString();
    const later = await send(svc, { body: 'Later', sendAfter });
    await platform.settled();
    const before = await shown(svc, messageId);
    platform.clock.advance(days(8));
    for (const job of plugin.jobs(platform.running.services)) if (job.name === 'sms.forget-contents') await job.run();
    expect(await shown(svc, messageId)).to.deep.equal({
      ...before,
      body: null,
      contentRemovedAt: platform.clock.now().toISOString(),
    });
    expect(await shown(svc, later.messageId)).to.include({ body: 'Later', contentRemovedAt: null });
  });
});
