import { expect } from 'chai';
import plugin from '#plugins/email/index.js';
import { days, minutes } from '#test/support/clock.js';
import { publish, publisher, reached, sendBroadcast, subscribe } from '../broadcast/support.js';
import { send, useMail } from '../support.js';

const file = { filename: 'a.txt', contentType: 'text/plain', content: 'YWJj' };

describe('Retention of what mails say', () => {
  const mail = useMail({ settings: { SVC_CONTENT_RETENTION_DAYS: '7' } });
  const { platform } = mail;

  /** Runs the hourly job once. */
  async function forget(): Promise<void> {
    const jobs = plugin.jobs(platform.running.services);
    for (const job of jobs.filter(({ name }) => name === 'email.forget-contents')) await job.run();
  }

  it('deletes content and attachments after the configured time, says so, and keeps the rest', async () => {
    const { svc } = await platform.account();
    const input = { subject: 'Hello', text: 'Hi', headers: { 'X-A': 'b' }, tags: { order: '7' }, attachments: [file] };
    const old = await send(svc, input);
    const sent = await Promise.all(Array.from({ length: 24 }, () => send(svc, input)));
    await platform.settled();
    const show = async (messageId: string) => svc.call('email.message.get', { messageId });
    const before = await show(old.messageId);
    const now = platform.clock.now().getTime();
    const [since = '', until = ''] = [now, now + days(1)].map((at) => new Date(at).toISOString().slice(0, 10));
    const stats = await svc.call('email.stats.get', { since, until });
    platform.clock.advance(days(7));
    const recent = await send(svc, input);
    await platform.settled();
    await forget();
    expect(await show(old.messageId)).to.deep.equal(before);
    platform.clock.advance(minutes(1));
    await forget();
    const after = await show(old.messageId);
    expect(after).to.deep.equal({
      ...before,
      message: { ...before.message, subject: null, contentRemovedAt: platform.clock.now().toISOString() },
      content: null,
      attachments: [],
    });
    for (const { messageId } of sent) expect((await show(messageId)).content).to.equal(null);
    expect((await show(recent.messageId)).content).to.deep.include({ text: 'Hi' });
    for (const table of ['email_content', 'email_attachment', 'email_attachment_part'])
      expect(await platform.count(table), table).to.equal(1);
    const { messages } = await svc.call('email.message.list', { tag: 'order=7', limit: 100 });
    expect(messages.filter(({ contentRemovedAt }) => contentRemovedAt !== null)).to.have.length(25);
    expect(await svc.call('email.stats.get', { since, until })).to.deep.equal(stats);
    expect(stats.total.sent).to.equal(25);
  });

  it('keeps what has not ended, and counts from the end', async () => {
    const { svc } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + days(20)).toISOString();
    const { messageId } = await send(svc, { subject: 'Later', text: 'Hi', sendAfter });
    platform.clock.advance(days(10));
    await forget();
    const show = async () => svc.call('email.message.get', { messageId });
    expect((await show()).message).to.include({ subject: 'Later', contentRemovedAt: null });
    platform.clock.advance(days(10));
    await platform.settled();
    await forget();
    const ended = await show();
    expect(ended.message).to.include({ status: 'sent', contentRemovedAt: null });
    expect(ended.content).to.deep.include({ text: 'Hi' });
    platform.clock.advance(days(8));
    await forget();
    expect((await show()).content).to.equal(null);
  });

  it('deletes the subjects of a broadcast’s messages, which then are not rendered again', async () => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News for {{ contact.firstName }}', text: 'Hello' } });
    await subscribe(sender, ['ada@one.example'], { firstName: 'Ada' });
    await subscribe(sender, ['bob@one.example'], { firstName: 'Bob' });
    const broadcastId = await sendBroadcast(sender);
    await reached(sender, broadcastId, 'sent');
    platform.clock.advance(days(8));
    await forget();
    const { messages } = await sender.svc.call('email.message.list', { broadcastId });
    expect(messages.map(({ subject, status }) => [subject, status])).to.deep.equal([
      [null, 'sent'],
      [null, 'sent'],
    ]);
    const [first] = messages;
    if (!first) throw new Error('The broadcast has no message.');
    const shown = await sender.svc.call('email.message.get', { messageId: first.messageId });
    expect(shown.content).to.equal(null);
    expect(shown.message.contentRemovedAt).to.equal(platform.clock.now().toISOString());
    const { broadcast } = await sender.svc.call('email.broadcast.get', { broadcastId });
    expect(broadcast.counts).to.include({ recipients: 2, sent: 2 });
  });
});

describe('Without SVC_CONTENT_RETENTION_DAYS', () => {
  const { platform } = useMail();

  it('mails keep their content', async () => {
    const { svc } = await platform.account();
    const { messageId } = await send(svc, { text: 'Hi' });
    await platform.settled();
    platform.clock.advance(days(5_000));
    for (const job of plugin.jobs(platform.running.services)) if (job.name === 'email.forget-contents') await job.run();
    const { content } = await svc.call('email.message.get', { messageId });
    expect(content).to.deep.include({ text: 'Hi' });
  });
});
