import { newId } from '#core/runtime/id.js';
import { numbers } from '#plugins/sms/tables/number.js';
import type { Place } from '#test/contract/support/place.js';

/**
 * A number that can be given back, since it is not the default. Test environments have none: a row as of a live one, to
 * see that nobody else reaches it.
 */
export async function numberIdAt({ platform, account: { svc, test }, side }: Place): Promise<string> {
  await svc.call('sms.number.assign', { country: 'US' });
  const { id } = (await svc.call('sms.number.assign', { country: 'US' })).number;
  if (side === 'live') return id;
  const { database } = platform.running.services;
  const row = await database.findOne(numbers, { id });
  if (!row) throw new Error('The number was not assigned.');
  const copy = { ...row, id: newId(), environmentId: test.id, heldNumber: null };
  await database.insert(numbers, copy);
  return copy.id;
}
