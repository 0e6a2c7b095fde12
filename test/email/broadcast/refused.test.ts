import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { minutes } from '#test/support/clock.js';
import { useMail } from '../support.js';
import { publish, publisher, reached, sendBroadcast, shown, subscribe } from './support.js';

describe('A broadcast that the mail server refuses', () => {
  const mail = useMail();
  const { platform } = mail;
  const refuseAll = (code: number, message: string): void => {
    mail.smtp.onRecipient = (address) => (address.endsWith('@denied.example') ? { code, message } : null);
  };
  const acceptAll = (): void => {
    mail.smtp.onRecipient = () => null;
  };
  const addresses = Array.from({ length: 60 }, (_, index) => `d${index}@denied.example`);
  const logged = (): string[] => platform.logLines.filter((line) => line.includes('refuses the mail of a broadcast'));

  for (const [code, message] of [
    [550, '5.7.1 Relaying denied'],
    [554, '5.7.0 Account suspended'],
    [550, 'Administrative prohibition'],
  ] as const)
    it(`is held after 20 refusals in a row, and loses no message: ${code} ${message}`, async () => {
      const sender = await publisher(platform);
      const { svc } = sender;
      platform.logLines.length = 0;
      mail.smtp.received.length = 0;
      await publish(sender, { en: { subject: 'News', text: 'Hello' } });
      await subscribe(sender, addresses);
      refuseAll(code, message);
      const broadcastId = await sendBroadcast(sender);
      await reached(sender, broadcastId, 'held');
      await platform.settled();
      const held = await shown(sender, broadcastId);
      expect(held).to.deep.include({ status: 'held', holdReason: 'mail_refused' });
      expect(held.counts).to.deep.include({ recipients: 60, failed: 0, sent: 0 });
      expect(logged()).to.have.length(1);
      expect(JSON.parse(logged()[0] ?? '')).to.deep.include({ level: 'error', broadcastId });
      const notices = () => mail.smtp.received.filter(({ recipients }) => recipients.includes(sender.ownerEmail));
      await eventually(() => notices().length === 1, 'the owners have a mail');
      expect(notices()[0]?.parsed.text).to.contain(message);

      // Their second attempts have rows of the delivery queue.
      platform.clock.advance(minutes(10));
      await svc.call('email.broadcast.resume', { broadcastId });
      await reached(sender, broadcastId, 'held');
      await platform.settled();
      expect((await shown(sender, broadcastId)).counts).to.deep.include({ failed: 0, sent: 0 });

      acceptAll();
      await svc.call('email.broadcast.resume', { broadcastId });
      platform.clock.advance(minutes(60));
      await reached(sender, broadcastId, 'sent');
      expect((await shown(sender, broadcastId)).counts).to.deep.include({ failed: 0, sent: 60 });
    });

  it('goes on where only some are refused, and these fail in their second attempt', async () => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['a@ok.example', 'b@ok.example', 'x@denied.example']);
    refuseAll(550, '5.7.1 Blocked');
    const broadcastId = await sendBroadcast(sender);
    await eventually(async () => (await shown(sender, broadcastId)).counts?.sent === 2, 'two are sent');
    await platform.settled();
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ queued: 1 });
    platform.clock.advance(minutes(1));
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ failed: 1 });
  });
});
