import type { PersonEraser } from '#core/kernel/erasure/person.js';
import type { Services } from '#core/kernel/services.js';
import { messageEraser } from '#core/messaging/erase.js';
import { eraseFromMailbox, mailboxFolder } from '../mailbox/store.js';
import { settings } from '../settings.js';
import { emailChannel } from './channel.js';

/** Erases a person from the stored messages and from the local mailbox. */
export const eraser = ({ deployment }: Services): PersonEraser => ({
  step: messageEraser(emailChannel),
  async outside({ email }) {
    if (email !== null && deployment.settingsOf(settings).smtpUrl === undefined)
      await eraseFromMailbox(mailboxFolder(deployment), email);
  },
});
