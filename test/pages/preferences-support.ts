import type { Channel, SuppressionReason } from '#plugins/audience/ports.js';
import { addSuppression } from '#plugins/audience/suppressions/store.js';
import { messageToken, consentStates } from '#test/audience/preferences/support.js';
import { contactOf, topicOf } from '#test/audience/support.js';
import type { InputOf } from '#test/support/api.js';
import type { TestPlatform } from '#test/support/platform.js';

export const address = { email: 'ada.lovelace@example.com', sms: '+4915123456789' };

/**
 * A contact who is subscribed to the newsletter and can subscribe to offers, with the URL of their preferences page.
 */
export async function personWithPage(platform: TestPlatform, facts: InputOf<'audience.contact.upsert'> = {}) {
  const account = await platform.account();
  const { svc, live } = account;
  await topicOf(svc, { description: 'Once a month.' });
  await topicOf(svc, { key: 'offers', name: 'Offers' });
  const contact = await contactOf(svc, {
    email: address.email,
    consents: [{ topic: 'news', channel: 'email', source: 'form' }],
    ...facts,
  });
  const token = messageToken(platform, contact.id);
  return {
    ...account,
    contact,
    token,
    url: `${platform.running.address}/preferences?token=${token}`,
    kept: async () => (await consentStates(platform, contact.id)).stored,
    suppressed: (channel: Channel, reason: SuppressionReason) =>
      platform.running.services.transaction('Test', async (context) => {
        context.actIn(live);
        await addSuppression(context, live.id, { channel, address: address[channel], reason, note: null });
      }),
  };
}
