import { expect } from 'chai';
import { shift } from '#core/runtime/clock.js';
import { inboundJobs } from '#plugins/sms/inbound/retention.js';
import { days } from '#test/support/clock.js';
import { needProducts } from '#test/support/products.js';
import { useTwilio } from '../twilio-platform.js';
import { deliver, numberOf, phone } from './support.js';

describe('Received texts', () => {
  needProducts('audience');
  const given = useTwilio({ SVC_SMS_INBOUND_RETENTION_DAYS: '60' });
  const { platform } = given;
  const forget = async (daysFromNow: number): Promise<void> => {
    const { database, clock, deployment } = platform.running.services;
    // Ids are made by the machine's clock.
    const now = (): Date => shift(new Date(), days(daysFromNow));
    for (const job of inboundJobs({ database, clock: { ...clock, now }, deployment })) await job.run();
  };

  it('are deleted after their retention time, and STOP still holds', async () => {
    const account = await platform.account();
    const { number } = await numberOf(account);
    await deliver(given, { to: number, body: 'STOP' });
    await forget(59);
    expect(await platform.count('sms_inbound')).to.equal(1);
    await forget(61);
    expect(await platform.count('sms_inbound')).to.equal(0);
    expect((await account.svc.call('audience.suppression.list', { phone })).suppressions[0]?.reason).to.equal('stop');
  });
});
