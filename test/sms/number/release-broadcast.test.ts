import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { itNeeding } from '#test/support/products.js';
import type { TestAccount } from '#test/support/platform.js';
import { draft, mobile, reached, sendBroadcast, subscribe, texter } from '../broadcast/support.js';
import { useTwilio } from '../twilio-platform.js';

describe('sms.number.release with broadcasts', () => {
  const { platform } = useTwilio({ SVC_SMS_REGISTRATION: 'not_required' });

  /** An account with contacts and one number, which is its default. */
  const withNumber = async (): Promise<TestAccount & { numberId: string }> => {
    const account = await texter(platform);
    await subscribe(account, [mobile(1)]);
    const { number } = await account.svc.call('sms.number.assign', { country: 'US' });
    return { ...account, numberId: number.id };
  };

  /** The time at which a broadcast is due. */
  const scheduledAt = (): string => new Date(platform.clock.now().getTime() + hours(2)).toISOString();

  itNeeding('audience')('refuses the last number of a scheduled or held broadcast, until it has ended', async () => {
    const { svc, numberId, ...account } = await withNumber();
    const broadcastId = await sendBroadcast({ svc }, { scheduledAt: scheduledAt() });
    await svc.call('sms.settings.set', { defaultNumberId: null });
    const scheduled = await svc.refusal('sms.number.release', { numberId });
    expect(scheduled).to.include({ status: 409, code: 'number_in_use' });
    expect(scheduled.message).to.contain('1 open broadcast, and the environment has no other number');
    expect(scheduled.fix).to.contain('sms.broadcast.cancel').and.contain('sms.settings.set');
    // Without a number it cannot start when its time comes.
    platform.clock.advance(hours(3));
    await reached({ ...account, svc }, broadcastId, 'held');
    expect(await svc.refusal('sms.number.release', { numberId })).to.include({ code: 'number_in_use' });
    await svc.call('sms.broadcast.cancel', { broadcastId });
    expect((await svc.call('sms.number.release', { numberId })).number.releasedAt).not.to.equal(null);
  });

  itNeeding('audience')('lets a number go that the open broadcasts do not need', async () => {
    const { svc, numberId } = await withNumber();
    const broadcastId = await sendBroadcast({ svc }, { scheduledAt: scheduledAt() });
    const { number: next } = await svc.call('sms.number.assign', { country: 'US' });
    await svc.call('sms.settings.set', { defaultNumberId: next.id });
    expect((await svc.call('sms.number.release', { numberId })).number.releasedAt).not.to.equal(null);
    await svc.call('sms.broadcast.cancel', { broadcastId });
    await svc.call('sms.broadcast.create', draft());
    await svc.call('sms.settings.set', { defaultNumberId: null });
    expect((await svc.call('sms.number.release', { numberId: next.id })).number.releasedAt).not.to.equal(null);
  });
});
