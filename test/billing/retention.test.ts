import { expect } from 'chai';
import { forgetUsage } from '#plugins/billing/jobs.js';
import { periodOf } from '#plugins/billing/periods/months.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { useMail } from '#test/email/support.js';
import { hours } from '#test/support/clock.js';
import { mail, rollUp, usageOf } from './metering-support.js';

describe('How long usage is kept', () => {
  const { platform } = useMail({ settings: usePrices([flat('email.message', '1')]) });
  /** Rows that statements of the server have read so far. */
  const rowsRead = async (): Promise<number> => {
    const rows = await platform.running.services.database.rows<{ Value: string }>(
      "SHOW GLOBAL STATUS WHERE Variable_name IN ('Handler_read_next', 'Handler_read_rnd_next')",
    );
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
  };

  it('the rows that are kept are not read each day', async () => {
    const { svc } = await platform.account();
    await svc.call('email.send', mail());
    await rollUp(platform);
    const { database } = platform.running.services;
    const columns = 'account_id, period, meter, project_id, day, country, is_test, environment_id, quantity, source_id';
    for (let doubled = 0; doubled < 13; doubled += 1)
      await database.run(
        `INSERT INTO billing_usage (id, ${columns}, reserved, is_rolled_up, created_at)
         SELECT UNHEX(CONCAT(LEFT(HEX(id), 12), LEFT(SHA2(CONCAT(HEX(id), RAND()), 256), 20))), ${columns}, reserved, 1, created_at FROM billing_usage`,
      );
    const before = await rowsRead();
    await forgetUsage(platform.running.services);
    expect((await rowsRead()) - before).to.be.below(4_000);
  });

  it('rows go 400 days after they were metered, what they add up to stays', async () => {
    const { svc } = await platform.account();
    await svc.call('email.send', mail());
    await rollUp(platform);
    const period = periodOf(platform.clock.now());
    platform.clock.advance(hours(24 * 399));
    await forgetUsage(platform.running.services);
    expect(await platform.count('billing_usage', 'is_rolled_up = 1')).to.be.above(0);
    platform.clock.advance(hours(24 * 2));
    await forgetUsage(platform.running.services);
    expect(await platform.count('billing_usage', 'is_rolled_up = 1')).to.equal(0);
    expect(await usageOf(svc, { period })).to.deep.equal(['email.message 1 1.00']);
  });
});
