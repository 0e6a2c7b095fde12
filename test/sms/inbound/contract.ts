import { newId } from '#core/runtime/id.js';
import { inbounds } from '#plugins/sms/tables/inbound.js';
import type { Place } from '#test/contract/support/place.js';

/** A received text. */
export async function inboundIdAt({ platform, account, side }: Place): Promise<string> {
  const id = newId();
  await platform.running.services.database.insert(inbounds, {
    id,
    environmentId: account[side].id,
    numberId: null,
    fromNumber: '+4915123456789',
    toNumber: '+15005550006',
    body: 'Hello',
    keyword: null,
    contactId: null,
    provider: 'log',
    providerId: id,
    receivedAt: platform.clock.now(),
  });
  return id;
}
