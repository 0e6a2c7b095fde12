import { expect } from 'chai';
import type { Api, ReplyOf } from '#test/support/api.js';
import { hours, minutes } from '#test/support/clock.js';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.js';
import { send, sqlId, useMail } from './support.js';

describe('email delivery', () => {
  const parts: { proxy?: TcpProxy } = {};
  const proxy = (): TcpProxy => {
    if (!parts.proxy) throw new Error('The proxy does not run.');
    return parts.proxy;
  };
  const mail = useMail({
    async through(port) {
      parts.proxy = await startTcpProxy({ host: '127.0.0.1', port });
      return parts.proxy.port;
    },
  });
  const { platform } = mail;
  after(() => parts.proxy?.close());
  afterEach(() => {
    mail.smtp.onMessage = () => null;
    mail.smtp.onRecipient = () => null;
    proxy().onSent(() => undefined);
    proxy().restore();
  });

  const shown = async (svc: Api, messageId: string): Promise<ReplyOf<'email.message.get'>> => {
    await platform.settled();
    return svc.call('email.message.get', { messageId });
  };
  const queued = (messageId: string): Promise<number> => platform.count('email_queue', `id = ${sqlId(messageId)}`);

  it('retries temporary failures for a day, at growing intervals; then the message has failed', async () => {
    const { svc, live } = await platform.account();
    mail.smtp.onMessage = () => ({ code: 451, message: '4.3.0 not now' });
    const { messageId } = await send(svc);
    const waits = [1, 5, 15, 30, 60, 120, 240, 240, 240, 240, 240].map(minutes);
    for (const [index, wait] of waits.entries()) {
      expect((await shown(svc, messageId)).attempts, `before wait ${index}`).to.have.length(index + 1);
      platform.clock.advance(wait - 1);
      const early = await shown(svc, messageId);
      expect(early.attempts, `not before its time, ${index}`).to.have.length(index + 1);
      expect(early.message.status).to.equal('queued');
      platform.clock.advance(1);
    }
    const ended = await shown(svc, messageId);
    expect(ended.attempts).to.have.length(waits.length + 1);
    expect(ended.attempts.every(({ status, smtpCode }) => status === 'temporary' && smtpCode === 451)).to.equal(true);
    expect(ended.message).to.include({ status: 'failed', sentAt: null });
    expect(ended.recipients[0]).to.include({ status: 'failed', smtpCode: 451 });
    expect(await queued(messageId)).to.equal(0);
    const events = (await platform.events(live)).filter(({ subjectId }) => subjectId === messageId);
    expect(events.map(({ type }) => type)).to.deep.equal(['email.queued', 'email.failed']);
    expect(events[1]?.data).to.deep.equal({ message: ended.message });
    mail.smtp.onMessage = () => null;
    platform.clock.advance(hours(24));
    expect((await shown(svc, messageId)).attempts).to.have.length(waits.length + 1);
  });

  it('counts a delayed message’s day of retries from when it was due', async () => {
    const { svc } = await platform.account();
    mail.smtp.onMessage = () => ({ code: 451, message: 'not now' });
    const sendAfter = new Date(platform.clock.now().getTime() + hours(48)).toISOString();
    const { messageId } = await send(svc, { sendAfter });
    platform.clock.advance(hours(48));
    expect((await shown(svc, messageId)).message.status).to.equal('queued');
    mail.smtp.onMessage = () => null;
    platform.clock.advance(minutes(1));
    expect((await shown(svc, messageId)).message.status).to.equal('sent');
  });

  it('does not retry permanent failures', async () => {
    const { svc, live } = await platform.account();
    mail.smtp.onMessage = () => ({ code: 554, message: '5.7.1 no spam here' });
    const { messageId } = await send(svc, { to: ['a@example.com', 'b@example.com'] });
    const ended = await shown(svc, messageId);
    expect(ended.message.status).to.equal('failed');
    expect(ended.attempts.map(({ status, smtpCode }) => [status, smtpCode])).to.deep.equal([['permanent', 554]]);
    expect(ended.recipients.map(({ status, smtpCode }) => [status, smtpCode])).to.deep.equal([
      ['failed', 554],
      ['failed', 554],
    ]);
    expect(await queued(messageId)).to.equal(0);
    const names = (await platform.events(live)).map(({ type }) => type).filter((name) => name.startsWith('email.'));
    expect(names).to.deep.equal(['email.queued', 'email.failed']);
  });

  it('handles each recipient by its own answer: only the temporary failure is retried', async () => {
    const { svc, live } = await platform.account();
    const asked: string[] = [];
    mail.smtp.onRecipient = (address) => {
      asked.push(address);
      if (address.startsWith('later')) return { code: 450, message: '4.2.1 greylisted' };
      return address.startsWith('never') ? { code: 550, message: '5.1.1 no such user' } : null;
    };
    const { messageId } = await send(svc, { to: ['now@example.com', 'later@example.com'], bcc: ['never@example.com'] });
    const half = await shown(svc, messageId);
    expect(half.message.status).to.equal('queued');
    expect(half.attempts.map(({ status }) => status)).to.deep.equal(['mixed']);
    expect(half.recipients.map(({ status, smtpCode }) => [status, smtpCode])).to.deep.equal([
      ['sent', 250],
      ['queued', 450],
      ['failed', 550],
    ]);
    mail.smtp.onRecipient = (address) => {
      asked.push(address);
      return null;
    };
    platform.clock.advance(minutes(1));
    const ended = await shown(svc, messageId);
    expect(ended.message.status).to.equal('sent');
    expect(ended.recipients.map(({ status, smtpCode }) => [status, smtpCode])).to.deep.equal([
      ['sent', 250],
      ['sent', 250],
      ['failed', 550],
    ]);
    expect(ended.attempts.map(({ status }) => status)).to.deep.equal(['mixed', 'sent']);
    expect(asked.slice(3)).to.deep.equal(['later@example.com']);
    expect(mail.arrivalsOf(messageId).map(({ recipients }) => recipients)).to.deep.equal([
      ['now@example.com'],
      ['later@example.com'],
    ]);
    const names = (await platform.events(live)).map(({ type }) => type).filter((name) => name.startsWith('email.'));
    expect(names, 'one end, one event').to.deep.equal(['email.queued', 'email.sent']);
  });

  it('keeps messages while the server is unreachable, and sends them once it is back', async () => {
    const { svc } = await platform.account();
    proxy().sever();
    const { messageId } = await send(svc);
    const waiting = await shown(svc, messageId);
    expect(waiting.message.status).to.equal('queued');
    expect(waiting.attempts.map(({ status, smtpCode }) => [status, smtpCode])).to.deep.equal([['temporary', null]]);
    expect(waiting.attempts[0]?.response).to.be.a('string').and.not.equal('');
    proxy().restore();
    platform.clock.advance(minutes(1));
    expect((await shown(svc, messageId)).message.status).to.equal('sent');
    expect(mail.arrivalsOf(messageId)).to.have.length(1);
  });

  it('repeats a message whose answer was lost, identical to the byte and with the same Message-ID', async () => {
    const { svc } = await platform.account();
    let lost = 0;
    proxy().onSent((bytes, link) => {
      if (!bytes.toString('latin1').endsWith('\r\n.\r\n') || lost > 0) return;
      lost += 1;
      link.loseAnswer();
    });
    const { messageId } = await send(svc, {
      text: 'Hi ü',
      html: '<p>Hi</p>',
      headers: { 'X-B': '2', 'X-A': '1' },
      attachments: [{ filename: 'ä.txt', contentType: 'text/plain', content: 'YWJj' }],
    });
    expect((await shown(svc, messageId)).message.status).to.equal('queued');
    platform.clock.advance(minutes(1));
    expect((await shown(svc, messageId)).message.status).to.equal('sent');
    const [first, second, ...more] = mail.arrivalsOf(messageId);
    expect(lost).to.equal(1);
    expect(more).to.deep.equal([]);
    expect(first?.parsed.messageId).to.match(/^<.+@.+>$/);
    expect(second?.parsed.messageId).to.equal(first?.parsed.messageId);
    expect(second && first?.raw.equals(second.raw), 'the same octets').to.equal(true);
  });

  it('loses and duplicates nothing when the process restarts', async () => {
    const { svc, live } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const now = await Promise.all(Array.from({ length: 40 }, () => send(svc)));
    const later = await send(svc, { sendAfter });
    await platform.restart();
    await platform.settled();
    for (const { messageId } of now) expect(mail.arrivalsOf(messageId)).to.have.length(1);
    expect(mail.arrivalsOf(later.messageId)).to.deep.equal([]);
    platform.clock.advance(hours(1));
    await platform.settled();
    expect(mail.arrivalsOf(later.messageId)).to.have.length(1);
    expect(await platform.count('email_queue', `partition_id = ${sqlId(live.id)}`)).to.equal(0);
    const statuses = `environment_id = ${sqlId(live.id)} AND status <> 'sent'`;
    expect(await platform.count('email_message', statuses)).to.equal(0);
  });
});
