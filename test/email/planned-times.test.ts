import { expect } from 'chai';
import { housekeeping } from '#core/platform/housekeeping.js';
import type { WaitingRows } from '#core/runtime/work/bring-back.js';
import { deliveryQueues } from '#plugins/email/delivery/queue.js';
import { minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { contactOf } from '#test/audience/support.js';
import { activeAutomation, linesOf, readyToSend, runOf, setProperty, signUp, wait } from './automation/support.js';
import { publish, publisher, sendBroadcast, subscribe } from './broadcast/support.js';
import { send, sqlId, useMail } from './support.js';

describe('What is planned, while the database’s clock is ahead', () => {
  const mail = useMail();
  const { platform } = mail;
  const inMinutes = (count: number): string => new Date(platform.clock.now().getTime() + minutes(count)).toISOString();
  const jumpAhead = async (count: number): Promise<void> => {
    platform.clock.trust(false);
    platform.clock.advance(minutes(count));
    await platform.settled();
  };
  const comeBack = async (count: number): Promise<void> => {
    platform.clock.advance(-minutes(count));
    platform.clock.trust(true);
    await platform.settled();
  };
  afterEach(() => platform.clock.trust(true));

  it('a scheduled message waits, and others leave', async () => {
    const { svc } = await platform.account();
    const statusOf = async (messageId: string): Promise<string> =>
      (await svc.call('email.message.get', { messageId })).message.status;
    const { messageId: planned } = await send(svc, { sendAfter: inMinutes(20) });
    await jumpAhead(30);
    const { messageId: now } = await send(svc);
    await platform.settled();
    expect([await statusOf(now), await statusOf(planned)]).to.deep.equal(['sent', 'queued']);
    await comeBack(30);
    expect(await statusOf(planned)).to.equal('queued');
    platform.clock.advance(minutes(20));
    await platform.settled();
    expect(await statusOf(planned)).to.equal('sent');
    expect(mail.arrivalsOf(planned)).to.have.length(1);
  });

  it('the wait of an automation goes on, and a run that begins takes its first steps', async () => {
    const account = await platform.account();
    const { svc } = account;
    await readyToSend(platform, account);
    const { id: contactId } = await contactOf(svc, {
      email: 'ada@example.com',
      consents: [{ topic: 'news', channel: 'email', source: 'test' }],
    });
    const { id } = await activeAutomation(svc, {
      steps: [setProperty('began', true), wait(1_200), setProperty('welcomed', true)],
    });
    await signUp(svc, contactId);
    await platform.settled();
    const steps = async (): Promise<number> => linesOf(await runOf(svc, id)).length;
    const before = await steps();
    await jumpAhead(30);
    expect(await steps()).to.equal(before);
    await comeBack(30);
    expect(await steps()).to.equal(before);
    platform.clock.advance(minutes(20));
    await platform.settled();
    expect((await runOf(svc, id)).run.status).to.equal('completed');
  });

  it('a scheduled broadcast does not begin', async () => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'News.' } });
    await subscribe(sender, ['grace@example.com']);
    const broadcastId = await sendBroadcast(sender, { scheduledAt: inMinutes(20) });
    const statusOf = async (): Promise<string> =>
      (await sender.svc.call('email.broadcast.get', { broadcastId })).broadcast.status;
    await jumpAhead(30);
    expect(await statusOf()).to.equal('scheduled');
    await comeBack(30);
    expect(await statusOf()).to.equal('scheduled');
    platform.clock.advance(minutes(20));
    await platform.settled();
    expect(await statusOf()).to.equal('sent');
  });

  it('a message that failed meanwhile waits from the time at which the clock was set back', async () => {
    const { svc } = await platform.account();
    const { database, clock } = platform.running.services;
    mail.smtp.onRecipient = () => ({ code: 451, message: '4.2.0 Mailbox busy' });
    await jumpAhead(60);
    const { messageId } = await send(svc);
    await eventually(
      async () => (await platform.count('email_attempt', `message_id = ${sqlId(messageId)}`)) === 1,
      'the first attempt',
    );
    await platform.settled();
    mail.smtp.onRecipient = () => null;
    await comeBack(60);
    const queues: WaitingRows[] = deliveryQueues(platform.running.services);
    for (const job of housekeeping(platform.running.services, queues))
      if (job.name === 'svc.recompute-waits') await job.run();
    const [row] = await database.rows<{ due_at: Date }>(
      `SELECT due_at FROM email_queue WHERE id = ${sqlId(messageId)}`,
    );
    expect(Number(row?.due_at)).to.equal(clock.now().getTime() + minutes(1));
    platform.clock.advance(minutes(1));
    await mail.mailOf(messageId);
  });
});
