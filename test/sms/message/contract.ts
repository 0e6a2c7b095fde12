import type { Place } from '#test/contract/support/place.js';
import { hours } from '#test/support/clock.js';
import { ada, register } from '../support.js';

/**
 * A text that waits and can be cancelled: in a live environment under a registration, in a test environment to a test
 * number.
 */
export async function textIdAt({ platform, account, side }: Place): Promise<string> {
  const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
  if (side === 'test')
    return (await account.svcTest.call('sms.send', { to: '+15005550006', body: 'Later.', sendAfter })).messageId;
  await register(platform, account.live, 'active');
  await account.svc.call('sms.number.assign', { country: 'US' });
  return (await account.svc.call('sms.send', { to: ada, body: 'Later.', sendAfter })).messageId;
}
