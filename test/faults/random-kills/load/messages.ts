import { setTimeout as pause } from 'node:timers/promises';
import { textAt } from '../../support/call.js';
import type { Load } from './load.js';

/** Single mails. */
export const mails: Load = {
  name: 'mail',
  clients: 4,
  everyMs: 600,
  permissions: ['email:write'],
  async turn({ write }, label) {
    await write(label, 'email.send', { to: `${label}@example.com`, subject: `Order ${label}`, text: 'On its way.' });
  },
};

/** A German mobile number for each text. The body names the text. */
export const newNumber = (random: () => number): string => `+49151${10_000_000 + Math.floor(random() * 89_999_999)}`;

/** Single texts. */
export const texts: Load = {
  name: 'text',
  clients: 2,
  everyMs: 500,
  permissions: ['sms:write'],
  async turn({ write, random }, label) {
    await write(label, 'sms.send', { to: newNumber(random), body: label });
  },
};

/** Mails and texts for later, most of which are cancelled around the time at which they leave. */
export const scheduled: Load = {
  name: 'later',
  clients: 4,
  everyMs: 300,
  permissions: ['email:write', 'sms:write'],
  async turn({ write, random }, label) {
    const waitMs = 1_000 + random() * 5_000;
    const sendAfter = new Date(Date.now() + waitMs).toISOString();
    const channel = random() < 0.5 ? 'email' : 'sms';
    const sent =
      channel === 'email'
        ? await write(label, 'email.send', { to: `${label}@example.com`, subject: label, text: 'Soon.', sendAfter })
        : await write(label, 'sms.send', { to: newNumber(random), body: label, sendAfter });
    if (random() < 0.1) return;
    await pause(random() * 1.2 * waitMs);
    const input = { messageId: textAt(sent.result, 'messageId') };
    await write(`${label}.cancel`, `${channel}.message.cancel`, input, ['message_not_cancellable']);
  },
};
