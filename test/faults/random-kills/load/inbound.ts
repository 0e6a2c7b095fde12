import { setTimeout as pause } from 'node:timers/promises';
import { rawMail } from '#test/email/inbound/support.js';
import { sidOf } from '#test/support/twilio.js';
import { textAt } from '../../support/call.js';
import type { Load } from './load.js';
import { newNumber } from './messages.js';

/** Texts to somebody who answers STOP, sometimes before the text has left, and a text after that. */
export const stops: Load = {
  name: 'stop',
  clients: 2,
  everyMs: 1_500,
  permissions: ['sms:write'],
  async turn({ write, callback, random, deployment: { twilio, baseUrl } }, label) {
    const from = newNumber(random);
    const sent = await write(`${label}.before`, 'sms.send', { to: from, body: `${label}.before` });
    const to = textAt(sent.result, 'from');
    await pause(random() * 1_000);
    const sid = sidOf('SM');
    const url = `${baseUrl}/v1/sms/inbound`;
    await callback(`${label}.stop`, 'callback.sms.stop', { from }, async (address) => {
      const { status } = await twilio.deliver(url, address, { from, to, body: 'STOP', sid });
      return status;
    });
    await write(`${label}.after`, 'sms.send', { to: from, body: `${label}.after` });
  },
};

/** Mail that a provider delivers. */
export const receivedMails: Load = {
  name: 'received',
  clients: 2,
  everyMs: 700,
  permissions: ['email:read'],
  async turn({ read, callback, deployment: { inboundSecret } }, label) {
    const to = textAt(await read('email.sender.get', {}), 'ownAddress');
    const body = rawMail({ 'Message-ID': `<${label}@mail.example.com>`, Subject: label });
    const headers = {
      Authorization: `Bearer ${inboundSecret}`,
      'Content-Type': 'message/rfc822',
      'x-svc-envelope-to': to,
      'x-svc-envelope-from': 'ada@example.com',
    };
    await callback(label, 'callback.email.ingest', {}, async (address) => {
      const answer = await fetch(`${address}/v1/inbound/ingest`, { method: 'POST', headers, body });
      return answer.status;
    });
  },
};
