import type { ErasureContext, PersonEraser, RequestedErasure } from '#core/kernel/person.js';
import type { Services } from '#core/kernel/services.js';
import { messageEraser } from '#core/messaging/erase.js';
import { idBytes } from '#core/runtime/id.js';
import { eraseInbound } from './inbound/eraser.js';
import { smsChannel } from './messages/channel.js';
import { phoneFiles, removeTextsOf } from './providers/log/store.js';

const eraseMessages = messageEraser(smsChannel);

/** Texts to the number that were deleted earlier. */
async function forgetLastTexts(
  { environment, phone }: Pick<RequestedErasure, 'environment' | 'phone'>,
  { db }: Pick<ErasureContext, 'db'>,
): Promise<void> {
  if (phone === null) return;
  await db.run('DELETE FROM sms_last_text WHERE to_number = ? AND environment_id = ?', [
    Buffer.from(phone),
    idBytes(environment.id),
  ]);
}

/** Erases a person from sent and received texts and from the texts of /dev/phone. */
export const eraser = ({ deployment }: Services): PersonEraser => ({
  async step(person, context) {
    const sent = await eraseMessages(person, context);
    if (sent.done > 0) return sent;
    await forgetLastTexts(person, context);
    const received = await eraseInbound(person, context);
    return { done: received.done, stillInUse: sent.stillInUse === true || received.stillInUse === true };
  },
  async outside({ phone }) {
    if (phone !== null) await removeTextsOf(phoneFiles(deployment), phone);
  },
});
