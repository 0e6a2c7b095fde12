import type { Services } from '#core/kernel/services.js';
import { receiveText } from '../../inbound/receive.js';
import { keepText, phoneFiles } from '../../providers/log/store.js';

/**
 * Sends a text as its writer's phone would: it is received in the same way as a text from a provider, and kept in the
 * conversation.
 */
export async function write(
  services: Services,
  { phone, number, body }: { phone: string; number: string; body: string },
): Promise<void> {
  const text = { phone, number, body, messageId: null, at: services.clock.now() };
  // Kept before it is received, so that its answer comes after it. The file's id is the provider's id of the text.
  const providerId = await keepText(phoneFiles(services.deployment), { ...text, direction: 'in' });
  await receiveText(services, 'log', { providerId, from: phone, to: number, body });
}
