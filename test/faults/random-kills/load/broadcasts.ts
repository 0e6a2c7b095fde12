import { setTimeout as pause } from 'node:timers/promises';
import { at } from '#test/support/json.js';
import { textAt } from '../../support/call.js';
import type { Client, Load } from './load.js';

const people = 200;
const optOuts = 6;

/** Reads every quarter of a second until something is the case, or the clients are to end. */
async function until(client: Client, isReached: () => Promise<boolean>): Promise<boolean> {
  while (!(await isReached())) {
    if (client.ending()) return false;
    await pause(250);
  }
  return true;
}

/** Imports contacts, revokes the consent of some of them before and during a broadcast to all, and sends it. */
export const broadcasts: Load = {
  name: 'news',
  clients: 1,
  everyMs: 5_000,
  permissions: ['audience:read', 'audience:write', 'email:read', 'email:write'],
  async turn(client, topic) {
    const { write, read, random } = client;
    const addressOf = (index: number): string => `${topic}-${index}@example.com`;
    const revoke = async (index: number): Promise<void> => {
      const input = { email: addressOf(index), topic, channel: 'email', source: 'faults' };
      await write(`${topic}.revoke-${index}`, 'audience.consent.revoke', input);
    };
    await write(`${topic}.topic`, 'audience.topic.create', { key: topic, name: `News ${topic}` });
    const contacts = Array.from({ length: people }, (_, index) => ({ email: addressOf(index), firstName: 'Ada' }));
    const consents = [{ topic, channel: 'email', source: 'form' }];
    const imported = await write(`${topic}.import`, 'audience.contact.import', { contacts, consents });
    const importId = textAt(imported.result, 'import', 'id');
    const isImported = async (): Promise<boolean> =>
      at(await read('audience.import.get', { importId }), 'import', 'status') === 'done';
    if (!(await until(client, isImported))) return;
    const chosen = new Set(Array.from({ length: optOuts }, () => Math.floor(random() * people)));
    const [before, during] = [[...chosen].slice(0, optOuts / 2), [...chosen].slice(optOuts / 2)];
    for (const index of before) await revoke(index);
    const from = textAt(await read('email.sender.get', {}), 'ownAddress');
    const input = { name: topic, template: 'news', topic, from };
    const draft = await write(`${topic}.create`, 'email.broadcast.create', input);
    const broadcastId = textAt(draft.result, 'broadcast', 'id');
    await write(`${topic}.send`, 'email.broadcast.send', { broadcastId });
    for (const index of during) await revoke(index);
    const isSent = async (): Promise<boolean> =>
      at(await read('email.broadcast.get', { broadcastId }), 'broadcast', 'status') === 'sent';
    if (await until(client, isSent)) await write(`${topic}.archive`, 'audience.topic.archive', { topic });
  },
};
