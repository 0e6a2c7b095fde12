import type { Socket } from 'node:net';
import { broadcastsUnderWay } from '#test/messaging/broadcasts-under-way.js';
import { usePlatform } from '#test/support/platform.js';
import { startScriptedSmtp } from '#test/support/smtp-receiver.js';
import { publish, publisher, sendBroadcast } from './support.js';

describe('Broadcasts of mail in progress', function () {
  this.timeout(180_000);
  /** The addresses that svc submitted messages to, and the connections that wait for the answer. */
  const said: string[] = [];
  const owed: Socket[] = [];
  let isHanging = false;
  const receiver: { server?: Awaited<ReturnType<typeof startScriptedSmtp>> } = {};
  const platform = usePlatform({
    async settings() {
      receiver.server = await startScriptedSmtp((line, socket) => {
        const address = /^RCPT TO:<([^>]*)>/.exec(line)?.[1];
        if (address === undefined) return undefined;
        said.push(address);
        if (!isHanging) return undefined;
        owed.push(socket);
        return null;
      });
      return { SVC_SMTP_URL: `smtp://127.0.0.1:${receiver.server.port}` };
    },
  });
  // Cuts hanging connections before the platform waits for them.
  after(() => receiver.server?.close());

  broadcastsUnderWay(() => ({
    channel: 'email',
    platform,
    queues: ['email_queue', 'email_chunk'],
    atOnce: 20,
    prepared: 576,
    answer(does) {
      isHanging = !does;
      if (does) owed.splice(0).forEach((socket) => socket.write('250 at last\r\n'));
    },
    said: () => said,
    async prepare() {
      const sender = await publisher(platform);
      await publish(sender, { en: { subject: 'News', text: 'Hello' } });
      return { svc: sender.svc, environmentId: sender.live.id, send: () => sendBroadcast(sender) };
    },
    contactOf: (index) => ({ email: `c${index}@example.com` }),
  }));
});
