import type { PersonEraser } from '#core/kernel/person.js';
import type { Services } from '#core/kernel/services.js';
import { messageEraser } from '#core/messaging/erase.js';
import { eraseInbound } from './inbound/eraser.js';
import { eraseFromMailbox, mailboxFolder } from './mailbox/store.js';
import { settings } from './deployment/settings.js';
import { eraseRuns } from './automations/runs/eraser.js';
import { emailDriver } from './messages/driver.js';

const eraseMessages = messageEraser(emailDriver);

/** Erases a person from runs of automations, from sent and received messages, and from the local mailbox. */
export const eraser = ({ deployment }: Services): PersonEraser => ({
  async step(person, context) {
    const runs = await eraseRuns(person, context);
    if (runs.done > 0) return runs;
    const sent = await eraseMessages(person, context);
    if (sent.done > 0) return sent;
    const received = await eraseInbound(person, context);
    return { done: received.done, stillInUse: runs.stillInUse === true || sent.stillInUse === true };
  },
  async outside({ email }) {
    if (email !== null && deployment.settingsOf(settings).smtpUrl === undefined)
      await eraseFromMailbox(mailboxFolder(deployment), email);
  },
});
