import type { Socket } from 'node:net';
import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import { startScriptedSmtp } from '#test/support/smtp-receiver.js';
import { sqlId } from '../support.js';
import { publish, publisher, sendBroadcast, shown, type Publisher } from './support.js';

const parts = ['queued', 'held', 'sending', 'sent', 'failed', 'suppressed', 'cancelled', 'bounced'] as const;

describe('Broadcasts under way', function () {
  this.timeout(120_000);
  /** The addresses that svc handed messages over to, and the connections that wait for the answer. */
  let said: string[] = [];
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
  beforeEach(() => {
    said = [];
    isHanging = true;
  });
  afterEach(() => release());

  const release = (): void => {
    isHanging = false;
    owed.splice(0).forEach((socket) => socket.write('250 at last\r\n'));
  };

  /** A broadcast to so many contacts, which is being sent. */
  const sending = async (count: number): Promise<Publisher & { broadcastId: string }> => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    const contacts = Array.from({ length: count }, (_, index) => ({ email: `c${index}@example.com` }));
    const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
    await sender.svc.call('audience.contact.import', { contacts, consents });
    const granted = `environment_id = ${sqlId(sender.live.id)} AND state = 'granted'`;
    await eventually(async () => (await platform.count('audience_consent', granted)) === count, 'imported contacts');
    return { ...sender, broadcastId: await sendBroadcast(sender) };
  };

  const sumOf = async (sender: Publisher, broadcastId: string): Promise<{ sum: number; recipients: number }> => {
    const { counts } = await shown(sender, broadcastId);
    const sum = parts.reduce((total, part) => total + (counts?.[part] ?? 0), 0);
    return { sum, recipients: counts?.recipients ?? 0 };
  };

  const leased = async (broadcastId: string): Promise<number> =>
    platform.count('email_queue', `partition_id = ${sqlId(broadcastId)} AND leased = 1`);

  /** What was checked before is then checked again when it leaves (core/messaging/delivery-queue.ts). */
  const pastCheck = (): Promise<void> => {
    const began = performance.now();
    return eventually(() => performance.now() - began > 150, 'checks have expired');
  };

  it('an opt-out holds for messages that a worker has checked already and not handed over', async () => {
    const sender = await sending(60);
    const { svc, broadcastId } = sender;
    await eventually(async () => said.length === 12 && (await leased(broadcastId)) === 60, 'all are under way');
    const next = Array.from({ length: 60 }, (_, index) => `c${index}@example.com`).filter(
      (each) => !said.includes(each),
    );
    for (const email of next) {
      const { contact } = await svc.call('audience.contact.get', { email });
      await svc.call('audience.consent.revoke', {
        contactId: contact.id,
        topic: 'news',
        channel: 'email',
        source: 'phone',
      });
    }
    await pastCheck();
    release();
    await eventually(async () => (await shown(sender, broadcastId)).status === 'sent', 'the broadcast is sent', 30_000);
    expect(said).to.have.length(12);
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ recipients: 60, sent: 12, suppressed: 48 });
  });

  it('a pause holds on every node what is not being handed over', async () => {
    const other = await platform.secondNode();
    const sender = await sending(400);
    const { svc, broadcastId } = sender;
    await eventually(() => said.length >= 24, 'both nodes hand over as many as they may', 30_000);
    await svc.call('email.broadcast.pause', { broadcastId });
    const before = said.length;
    await pastCheck();
    release();
    await eventually(async () => (await leased(broadcastId)) === 0, 'no worker has any of it', 30_000);
    expect(said, 'none left after the pause').to.have.length(before);
    const { counts } = await shown(sender, broadcastId);
    expect(counts).to.deep.include({ recipients: 400, held: 400 - before, sent: before, queued: 0, sending: 0 });
    await svc.call('email.broadcast.resume', { broadcastId });
    await eventually(async () => (await shown(sender, broadcastId)).status === 'sent', 'the broadcast is sent', 60_000);
    expect(new Set(said).size).to.equal(400);
    expect(said, 'each contact got it once').to.have.length(400);
    await other.stop();
  });

  it('its counts add up at every moment', async () => {
    isHanging = false;
    const sender = await sending(400);
    const { svc, broadcastId } = sender;
    for (let status = 'sending'; status !== 'sent'; { status } = await shown(sender, broadcastId)) {
      const { sum, recipients } = await sumOf(sender, broadcastId);
      expect(sum, 'the sum of its parts').to.equal(recipients);
      const isPaused = Math.random() < 0.2 && (await shown(sender, broadcastId)).status === 'sending';
      if (!isPaused) continue;
      // Its last message may end before the call.
      await svc.call('email.broadcast.pause', { broadcastId }).catch(() => undefined);
      const held = await sumOf(sender, broadcastId);
      expect(held.sum, 'the sum of its parts while it is held').to.equal(held.recipients);
      await svc.call('email.broadcast.resume', { broadcastId }).catch(() => undefined);
    }
    expect(await sumOf(sender, broadcastId)).to.deep.equal({ sum: 400, recipients: 400 });
    expect(said).to.have.length(400);
  });
});
