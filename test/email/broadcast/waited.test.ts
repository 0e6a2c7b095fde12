import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { hours, minutes, seconds } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { send, useMail } from '../support.js';
import { draft, publish, publisher, shown, subscribe, type Publisher } from './support.js';

const folder = mkdtempSync(join(tmpdir(), 'svc-rates-'));
writeFileSync(join(folder, 'rates.json'), JSON.stringify({ domains: { 'slow.example': 0.2 } }));
after(() => rmSync(folder, { recursive: true }));

const greylisted = { code: 451, message: '4.7.1 Greylisted, try again in 5 minutes' };

describe('Mail that waited a day before it was tried', () => {
  const mail = useMail({ settings: { SVC_MAIL_RATES_FILE: join(folder, 'rates.json') } });
  const { platform } = mail;
  afterEach(() => (mail.smtp.onMessage = () => null));

  const made = async (count: number, domain: string): Promise<Publisher & { broadcastId: string }> => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(
      sender,
      Array.from({ length: count }, (_, index) => `c${index}@${domain}`),
    );
    const { broadcast } = await sender.svc.call('email.broadcast.create', draft(sender));
    await sender.svc.call('email.broadcast.send', { broadcastId: broadcast.id });
    await eventually(async () => {
      const { counts } = await shown(sender, broadcast.id);
      return counts?.recipients === count && counts.sending === 0;
    }, 'the messages are made');
    await platform.settled();
    return { ...sender, broadcastId: broadcast.id };
  };

  it('is retried when a broadcast is resumed, for a day from then on', async () => {
    mail.smtp.onMessage = () => greylisted;
    const { broadcastId, ...sender } = await made(3, 'paused.example');
    await sender.svc.call('email.broadcast.pause', { broadcastId });
    platform.clock.advance(hours(25));
    await sender.svc.call('email.broadcast.resume', { broadcastId });
    await platform.settled();
    expect((await shown(sender, broadcastId)).counts).to.include({ queued: 3, failed: 0 });
    platform.clock.advance(hours(24));
    await platform.settled();
    expect((await shown(sender, broadcastId)).counts).to.include({ failed: 3 });
  });

  it('is retried when a rate let it out only then', async () => {
    const { broadcastId, ...sender } = await made(4, 'slow.example');
    expect((await shown(sender, broadcastId)).counts).to.include({ sent: 1, queued: 3 });
    mail.smtp.onMessage = () => greylisted;
    platform.clock.advance(hours(25));
    // One in 5 s.
    await eventually(
      async () => {
        platform.clock.advance(seconds(5));
        await platform.settled();
        const { messages } = await sender.svc.call('email.message.list', { broadcastId });
        const tried = await Promise.all(
          messages.map(
            async ({ messageId }) => (await sender.svc.call('email.message.get', { messageId })).attempts.length,
          ),
        );
        return tried.filter((attempts) => attempts > 0).length > 1;
      },
      'one more is tried',
      60_000,
      500,
    );
    expect((await shown(sender, broadcastId)).counts).to.include({ sent: 1, failed: 0, queued: 3 });
  }).timeout(90_000);

  it('is retried when no worker ran, for a day from its first attempt on', async () => {
    const { svc } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + minutes(1)).toISOString();
    const { messageId } = await send(svc, { sendAfter });
    await platform.restart({ SVC_ROLE: 'api' });
    platform.clock.advance(hours(25));
    mail.smtp.onMessage = () => greylisted;
    await platform.restart({ SVC_ROLE: 'all' });
    await platform.settled();
    const first = await svc.call('email.message.get', { messageId });
    expect(first.message.status).to.equal('queued');
    expect(first.attempts).to.have.length(1);
    platform.clock.advance(hours(20));
    await platform.settled();
    expect((await svc.call('email.message.get', { messageId })).message.status).to.equal('queued');
    platform.clock.advance(hours(5));
    await platform.settled();
    expect((await svc.call('email.message.get', { messageId })).message.status).to.equal('failed');
  });

  it('is not given up while the clocks cannot be trusted', async () => {
    const { svc } = await platform.account();
    mail.smtp.onMessage = () => greylisted;
    const { messageId } = await send(svc);
    await platform.settled();
    platform.clock.trust(false);
    platform.clock.advance(hours(25));
    await platform.settled();
    const waiting = await svc.call('email.message.get', { messageId });
    expect(waiting.attempts).to.have.length(2);
    expect(waiting.message.status).to.equal('queued');
    platform.clock.trust(true);
    platform.clock.advance(minutes(10));
    await platform.settled();
    expect((await svc.call('email.message.get', { messageId })).message.status).to.equal('failed');
  });
});
