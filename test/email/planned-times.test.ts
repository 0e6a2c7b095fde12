import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import { contactOf } from '#test/audience/support.js';
import { activeAutomation, linesOf, readyToSend, runOf, setProperty, signUp, wait } from './automation/support.js';
import { publish, publisher, sendBroadcast, subscribe } from './broadcast/support.js';
import { send, useMail } from './support.js';

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
});
