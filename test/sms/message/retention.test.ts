import { expect } from 'chai';
import { housekeeping } from '#core/platform/housekeeping.js';
import plugin from '#plugins/sms/index.js';
import { days } from '#test/support/clock.js';
import { itNeeding } from '#test/support/products.js';
import { deliver } from '../inbound/support.js';
import { ada, ownNumber, send, useTexts } from '../support.js';

describe('Retention of texts', () => {
  const texts = useTexts(async () => ({ SVC_EVENT_RETENTION_DAYS: '7', SVC_MESSAGE_RETENTION_DAYS: '7' }));
  const { platform } = texts;

  async function forget(): Promise<void> {
    const { services } = platform.running;
    for (const job of [...housekeeping(services), ...plugin.jobs(services)])
      if (['svc.forget-events', 'sms.forget-messages'].includes(job.name)) await job.run();
  }

  it('deletes those that ended before the retention time, and says so', async () => {
    const { svc } = await platform.account();
    const { messageId } = await send(svc);
    const sendAfter = new Date(platform.clock.now().getTime() + days(20)).toISOString();
    const later = await send(svc, { sendAfter });
    await platform.settled();
    platform.clock.advance(days(8));
    await forget();
    const { messages, keptSince } = await svc.call('sms.message.list', {});
    expect(messages.map((each) => each.messageId)).to.deep.equal([later.messageId]);
    expect(keptSince).to.equal(new Date(platform.clock.now().getTime() - days(7)).toISOString());
    for (const name of ['sms.message.get', 'sms.message.cancel']) {
      const { code, fix } = await svc.refusal(name, { messageId });
      expect(code).to.equal('not_found');
      expect(fix).to.contain('messages that finished more than 7 days ago are deleted (SVC_MESSAGE_RETENTION_DAYS)');
    }
    for (const table of ['sms_recipient', 'sms_message']) expect(await platform.count(table), table).to.equal(1);
    expect(await platform.count('sms_attempt')).to.equal(0);
  });

  itNeeding('audience')(
    'STOP to a number that all share still finds who has texted, until the person is erased',
    async () => {
      const [first, second, other] = [await platform.account(), await platform.account(), await platform.account()];
      for (const { svc } of [first, second]) await send(svc);
      await platform.settled();
      platform.clock.advance(days(8));
      await send(other.svc, { to: '+4915100000000' });
      await platform.settled();
      await forget();
      expect(await platform.count('sms_recipient', `address_key = '${ada}'`)).to.be.at.most(1);
      await deliver(texts, { from: ada, to: ownNumber, body: 'STOP' });
      const suppressed = async ({ svc }: typeof first) =>
        (await svc.call('audience.suppression.list', { phone: ada })).suppressions.map(({ reason }) => reason);
      expect(await suppressed(first)).to.deep.equal(['stop']);
      expect(await suppressed(second)).to.deep.equal(['stop']);
      expect(await suppressed(other)).to.deep.equal([]);
      const { contact } = await first.svc.call('audience.contact.upsert', { phone: ada });
      await first.svc.call('audience.contact.delete', { contactId: contact.id });
      await platform.settled();
      const rows = await platform.running.services.database.rows<{ environment_id: Buffer }>(
        `SELECT environment_id FROM sms_last_text WHERE to_number = '${ada}'`,
      );
      const left = rows.map((row) => row.environment_id.toString('hex'));
      expect(left).to.include(second.live.id.replaceAll('-', '')).and.not.include(first.live.id.replaceAll('-', ''));
    },
  );
});
