import type { PersonEraser } from '#core/kernel/person.js';
import type { Services } from '#core/kernel/services.js';
import { messageEraser } from '#core/messaging/erase.js';
import { eraseInbound } from './inbound/eraser.js';
import { smsChannel } from './messages/channel.js';
import { phoneFiles, removeTextsOf } from './providers/log/store.js';

const eraseMessages = messageEraser(smsChannel);

/** Erases a person from sent and received texts and from the texts of /dev/phone. */
export const eraser = ({ deployment }: Services): PersonEraser => ({
  async step(person, context) {
    const sent = await eraseMessages(person, context);
    if (sent.done > 0) return sent;
    const received = await eraseInbound(person, context);
    return { done: received.done, stillInUse: sent.stillInUse === true || received.stillInUse === true };
  },
  async outside({ phone }) {
    if (phone !== null) await removeTextsOf(phoneFiles(deployment), phone);
  },
});
