import { expect } from 'chai';
import { numberJobs } from '#plugins/sms/numbers/jobs.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { usageOf } from '#test/billing/metering-support.js';
import { sqlId } from '#test/email/support.js';
import { needProducts } from '#test/support/products.js';
import { useTwilio } from '../twilio-platform.js';
import { skipOnVitess } from '#test/support/vitess.js';

describe('The rent of numbers', () => {
  needProducts('billing');
  const given = useTwilio(usePrices([flat('sms.number_month', '2', { country: 'US' }), flat('sms.number_month', '3')]));
  const { platform } = given;

  const runJobs = async (): Promise<void> => {
    for (const job of numberJobs(platform.running.services)) await job.run();
  };
  /** Moves the clock to the second day of the month after. */
  const nextMonth = (): void => {
    const now = platform.clock.now();
    const then = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2);
    platform.clock.advance(then - now.getTime());
  };
  const month = (): string => platform.clock.now().toISOString().slice(0, 7);

  it('is metered when a number is assigned, and once for each month that begins until it is released', async () => {
    const { svc } = await platform.account();
    await svc.call('sms.number.assign', { country: 'US' });
    const { number } = await svc.call('sms.number.assign', { country: 'US' });
    await runJobs();
    expect(await usageOf(svc)).to.deep.equal(['sms.number_month 2 4.00']);
    nextMonth();
    await Promise.all([runJobs(), runJobs()]);
    await runJobs();
    expect(await usageOf(svc, { period: month() })).to.deep.equal(['sms.number_month 2 4.00']);
    await svc.call('sms.number.release', { numberId: number.id });
    nextMonth();
    await runJobs();
    expect(await usageOf(svc, { period: month() })).to.deep.equal(['sms.number_month 1 2.00']);
  });

  it('is metered for the month in which a number is released, even before the job has come to it', async () => {
    const { svc } = await platform.account();
    await svc.call('sms.number.assign', { country: 'US' });
    const { number } = await svc.call('sms.number.assign', { country: 'US' });
    nextMonth();
    nextMonth();
    const release = { numberId: number.id };
    await Promise.all([runJobs(), svc.call('sms.number.release', release), svc.call('sms.number.release', release)]);
    await runJobs();
    expect(await usageOf(svc, { period: month() })).to.deep.equal(['sms.number_month 4 8.00']);
    const { number: other } = await svc.call('sms.number.assign', { country: 'US' });
    nextMonth();
    await svc.call('sms.number.release', { numberId: other.id });
    await svc.call('sms.number.release', { numberId: other.id });
    expect(await usageOf(svc, { period: month() }), 'only of the released one').to.deep.equal([
      'sms.number_month 1 2.00',
    ]);
    await runJobs();
    expect(await usageOf(svc, { period: month() })).to.deep.equal(['sms.number_month 2 4.00']);
  });

  it('is refused by the spending cap before anything is bought, and not charged for what was not available', async () => {
    const { svc } = await platform.account();
    const { twilio } = given;
    await svc.call('billing.cap.set', { amount: '3' });
    const refusal = { status: 400, code: 21_422, message: 'not available' };
    twilio.fail(/^POST .*IncomingPhoneNumbers/, { kind: 'refuse', refusal });
    expect(await svc.refusal('sms.number.assign', { country: 'US' })).to.include({ code: 'number_unavailable' });
    const before = twilio.purchases.length;
    await svc.call('sms.number.assign', { country: 'US' });
    expect(await svc.refusal('sms.number.assign', { country: 'US' })).to.include({
      status: 402,
      code: 'spending_cap_reached',
    });
    expect(twilio.purchases.length).to.equal(before + 1);
    expect(await usageOf(svc)).to.deep.equal(['sms.number_month 1 2.00']);
  });

  it('is metered for each number once in a round, also where more than a page of them stay due', async () => {
    const { svc } = await platform.account();
    await svc.call('sms.number.assign', { country: 'US' });
    // Numbers whose environment is gone stay due. Their ids are below those that are given out now.
    const { database } = platform.running.services;
    await database.run(
      `INSERT INTO sms_number (id, environment_id, number, country, capabilities, origin, status, rent_metered_until, created_at)
       SELECT UNHEX(LPAD(HEX(seq.n), 32, '0')), UNHEX(REPEAT('f', 32)), seq.n, 'US', '[]', 'provider', 'assigned', '2000-01', NOW(3)
       FROM (WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 200) SELECT n FROM s) seq`,
    );
    nextMonth();
    await runJobs();
    expect(await usageOf(svc, { period: month() })).to.deep.equal(['sms.number_month 1 2.00']);
    await database.run("DELETE FROM sms_number WHERE rent_metered_until = '2000-01'");
  });

  it('of one number that fails is metered in a later round, and that of the others at its time', async function () {
    skipOnVitess(this, 'triggers');
    const [first, second] = [await platform.account(), await platform.account()];
    const { number } = await first.svc.call('sms.number.assign', { country: 'US' });
    await second.svc.call('sms.number.assign', { country: 'US' });
    const { database } = platform.running.services;
    nextMonth();
    await database.run(
      `CREATE TRIGGER no_rent BEFORE UPDATE ON sms_number FOR EACH ROW
       IF NEW.id = ${sqlId(number.id)} THEN SIGNAL SQLSTATE '45000'; END IF`,
    );
    try {
      await runJobs();
      expect(await usageOf(first.svc, { period: month() })).to.deep.equal([]);
      expect(await usageOf(second.svc, { period: month() })).to.deep.equal(['sms.number_month 1 2.00']);
    } finally {
      await database.run('DROP TRIGGER no_rent');
    }
    await runJobs();
    expect(await usageOf(first.svc, { period: month() })).to.deep.equal(['sms.number_month 1 2.00']);
  });
});
