import { newId } from '#core/runtime/id.js';
import { broadcasts } from '#plugins/sms/tables/broadcast.js';
import type { Place } from '#test/contract/support/place.js';
import type { Api } from '#test/support/api.js';
import { register } from '../support.js';
import { publish } from '../template/support.js';
import { draft, mobile } from './support.js';

const apiOf = ({ account, side }: Place): Api => (side === 'live' ? account.svc : account.svcTest);

/** A draft of a broadcast of texts. */
export const textBroadcastIdAt = async (place: Place): Promise<string> =>
  (await apiOf(place).call('sms.broadcast.create', draft())).broadcast.id;

/** A broadcast with a status, of which nothing is left to do, so that no worker changes it. */
const broadcastThatIs =
  (status: 'sending' | 'held') =>
  async (place: Place): Promise<{ broadcastId: string }> => {
    const broadcastId = await textBroadcastIdAt(place);
    const at = place.platform.clock.now();
    await place.platform.running.services.database.run(
      broadcasts.updateRow({ id: broadcastId }, { status, sentAt: at, fannedOutAt: at }),
    );
    return { broadcastId };
  };

/** A draft that is ready to be sent. */
async function readyBroadcast(place: Place): Promise<{ broadcastId: string }> {
  const [svc, key] = [apiOf(place), newId()];
  if (place.side === 'live') {
    await register(place.platform, place.account.live, 'active');
    await svc.call('sms.number.assign', { country: 'US' });
  }
  await svc.call('audience.topic.create', { key, name: key });
  await publish(svc, key, { en: { body: 'Sale!' } });
  const consents = [{ topic: key, channel: 'sms' as const, source: 'form' }];
  await svc.call('audience.contact.upsert', { phone: mobile(1), consents });
  const { broadcast } = await svc.call('sms.broadcast.create', draft({ template: key, topic: key }));
  return { broadcastId: broadcast.id };
}

/** What the operations of broadcasts need, by operation. */
export const textBroadcastThings = {
  'sms.broadcast.pause': broadcastThatIs('sending'),
  'sms.broadcast.resume': broadcastThatIs('held'),
  'sms.broadcast.send': readyBroadcast,
};
