import { expect } from 'chai';
import { repriceMonths } from '#plugins/billing/cap/reprice-months.js';
import { mail, rollUp } from '#test/billing/metering-support.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { closeMonths } from '#test/billing/support.js';
import { useMail } from '#test/email/support.js';
import { days } from '#test/support/clock.js';

describe('The spending cap of a month that a wrong clock closed before its end', () => {
  const { platform } = useMail({ settings: usePrices([flat('email.message', '1')]) });

  for (const ahead of [40, 100])
    it(`still holds after the clock was ${ahead} days ahead: what the invoice charges counts, and what is used after it`, async () => {
      const { svc } = await platform.account();
      await svc.call('billing.cap.set', { amount: '3' });
      await svc.call('email.send', mail());
      platform.clock.advance(days(ahead));
      await closeMonths(platform);
      platform.clock.advance(-days(ahead));
      const answers: number[] = [];
      for (let index = 0; index < 6; index += 1) {
        answers.push((await svc.raw('/email/send', JSON.stringify(mail(`u${index}@example.com`)))).status);
        await rollUp(platform);
        await repriceMonths(platform.running.services);
      }
      expect(answers).to.deep.equal([200, 200, 402, 402, 402, 402]);
      const { amountSoFar, capRemaining } = await svc.call('billing.get', {});
      expect([amountSoFar.amount, capRemaining?.amount]).to.deep.equal(['3.00', '0.00']);
      await svc.call('billing.cap.set', { amount: '4' });
      expect((await svc.raw('/email/send', JSON.stringify(mail()))).status).to.equal(200);
      expect((await svc.raw('/email/send', JSON.stringify(mail()))).status).to.equal(402);
    });
});
