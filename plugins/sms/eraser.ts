import type { PersonEraser } from '#core/kernel/erasure/person.js';
import type { Services } from '#core/kernel/services.js';
import { eraseInbound } from './inbound/eraser.js';
import { phoneFiles, removeTextsOf } from './providers/log/store.js';

/** Erases a person from received texts and from the texts of /dev/phone. */
export const eraser = ({ deployment }: Services): PersonEraser => ({
  step: eraseInbound,
  async outside({ phone }) {
    if (phone !== null) await removeTextsOf(phoneFiles(deployment), phone);
  },
});
