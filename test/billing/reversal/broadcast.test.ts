import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { usageOf } from '#test/billing/metering-support.js';
import { usePrices } from '#test/billing/prices.js';
import { closeMonths, endMonth } from '#test/billing/support.js';
import { draft, publish, publisher, shown, subscribe } from '#test/email/broadcast/support.js';
import { useMail } from '#test/email/support.js';
import { hours } from '#test/support/clock.js';
import { endOf, periodOf } from '#plugins/billing/periods/months.js';

describe('Messages that end in a later month than they were made in', () => {
  const mails = useMail({
    settings: usePrices([
      {
        meter: 'email.message',
        tiers: [
          [10, '0'],
          [null, '0.10'],
        ],
      },
      {
        meter: 'email.broadcast_message',
        tiers: [
          [2, '1'],
          [null, '0.10'],
        ],
      },
    ]),
  });
  const { platform } = mails;

  it('single ones are given back at what they had cost', async () => {
    const { svc } = await platform.account();
    const end = endOf(periodOf(platform.clock.now())).getTime();
    platform.clock.advance(end - hours(1) - platform.clock.now().getTime());
    const sendAfter = new Date(end + hours(24 * 5)).toISOString();
    const ids: string[] = [];
    for (let count = 0; count < 14; count += 1)
      ids.push(
        (await svc.call('email.send', { to: `u${count}@example.com`, subject: 'S', text: 'T', sendAfter })).messageId,
      );
    const period = endMonth(platform);
    await closeMonths(platform);
    expect((await svc.call('billing.invoice.get', { period })).invoice.subtotal).to.equal('0.40');
    for (const messageId of ids) await svc.call('email.message.cancel', { messageId });
    expect(await usageOf(svc)).to.deep.equal(['email.message -14 -0.40']);
  });

  it('those of a cancelled broadcast that was sent in part, too: what was sent keeps its price', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(
      sender,
      Array.from({ length: 12 }, (_, index) => `x${index}@example.com`),
    );
    let left = 3;
    mails.smtp.onMessage = () => ((left -= 1) >= 0 ? null : { code: 451, message: '4.3.0 later' });
    const { broadcast } = await svc.call('email.broadcast.create', draft(sender));
    await svc.call('email.broadcast.send', { broadcastId: broadcast.id });
    await eventually(async () => {
      const { counts } = await shown(sender, broadcast.id);
      return counts?.recipients === 12 && counts.sending === 0 && counts.sent === 3;
    }, 'sent in part');
    await svc.call('email.broadcast.pause', { broadcastId: broadcast.id });
    await platform.settled();
    mails.smtp.onMessage = () => null;
    const period = endMonth(platform);
    await closeMonths(platform);
    expect((await svc.call('billing.invoice.get', { period })).invoice.subtotal).to.equal('3.00');
    await svc.call('email.broadcast.cancel', { broadcastId: broadcast.id });
    await platform.settled();
    expect((await shown(sender, broadcast.id)).counts).to.include({ cancelled: 9, sent: 3 });
    // Three cost 2.10.
    expect(await usageOf(svc)).to.deep.equal(['email.broadcast_message -9 -0.90']);
  });
});
