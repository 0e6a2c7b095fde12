import { expect } from 'chai';
import type { Api } from '#test/support/api.js';
import { hours, minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { send, sqlId, useMail } from '../support.js';

describe('email.message.cancel', () => {
  const mail = useMail();
  const { platform } = mail;
  const inHours = (n: number): string => new Date(platform.clock.now().getTime() + hours(n)).toISOString();

  /** How a call ended: `200` with the message's status, or the error code. */
  const outcome = async (svc: Api, messageId: string): Promise<string> => {
    const { status, text } = await svc.raw('/email/message/cancel', JSON.stringify({ messageId }));
    const found = /"(?:status|code)":"(\w+)"/.exec(text)?.[1] ?? '';
    return `${status} ${found}`;
  };

  it('cancels a queued message: it is never sent', async () => {
    const { svc, live } = await platform.account();
    const { messageId } = await send(svc, { sendAfter: inHours(1), to: ['a@example.com', 'b@example.com'] });
    const { activityId, result } = await svc.envelope('email.message.cancel', { messageId });
    expect(result.message).to.include({ messageId, status: 'cancelled', sentAt: null });
    const told = (await platform.events(live)).at(-1);
    expect(told).to.include({ type: 'email.cancelled', subjectId: messageId, activityId });
    expect(told?.data).to.deep.equal({ message: result.message });
    platform.clock.advance(hours(2));
    await platform.settled();
    expect(mail.arrivalsOf(messageId)).to.deep.equal([]);
    const shown = await svc.call('email.message.get', { messageId });
    expect(shown.message).to.deep.equal(result.message);
    expect(shown.recipients.map(({ status }) => status)).to.deep.equal(['cancelled', 'cancelled']);
    expect(shown.timeline.map(({ status }) => status)).to.deep.equal(['queued', 'cancelled']);
  });

  it('answers a repeat with the same message, its own audit record and no event', async () => {
    const { svc, live } = await platform.account();
    const { messageId } = await send(svc, { sendAfter: inHours(1) });
    const first = await svc.envelope('email.message.cancel', { messageId });
    const again = await svc.envelope('email.message.cancel', { messageId });
    expect(again.result).to.deep.equal(first.result);
    expect(again.activityId).not.to.equal(first.activityId);
    const names = (await platform.events(live)).map(({ type }) => type);
    expect(names).to.deep.equal(['email.queued', 'email.cancelled']);
  });

  it('accepts the id in capitals, and answers with the stored form', async () => {
    const { svcTest, test, ownerEmail } = await platform.account();
    const { messageId } = await send(svcTest, { sendAfter: inHours(1), to: [ownerEmail, 'stranger@example.com'] });
    const { message } = await svcTest.call('email.message.cancel', { messageId: messageId.toUpperCase() });
    expect(message).to.deep.include({ messageId, suppressedRecipients: ['stranger@example.com'] });
    expect((await platform.events(test)).at(-1)).to.include({ type: 'email.cancelled', subjectId: messageId });
  });

  it('cancels once under 20 concurrent calls, and answers each of them with the cancelled message', async () => {
    const { svc, live } = await platform.account();
    const { messageId } = await send(svc, { sendAfter: inHours(1) });
    const ends = await Promise.all(Array.from({ length: 20 }, () => outcome(svc, messageId)));
    expect(ends).to.deep.equal(ends.map(() => '200 cancelled'));
    const names = (await platform.events(live)).map(({ type }) => type);
    expect(names).to.deep.equal(['email.queued', 'email.cancelled']);
  });

  it('races delivery: a message is cancelled or sent, never both', async () => {
    const { svc, live } = await platform.account();
    const messages = await Promise.all(
      Array.from({ length: 20 }, (_, n) => send(svc, { sendAfter: inHours(1), to: `r${n}@example.com` })),
    );
    platform.clock.advance(hours(1));
    const ends = await Promise.all(messages.map(({ messageId }) => outcome(svc, messageId)));
    await platform.settled();
    const events = await platform.events(live);
    for (const [index, { messageId }] of messages.entries()) {
      const cancelled = ends[index] === '200 cancelled';
      if (!cancelled) expect(ends[index]).to.equal('409 message_not_cancellable');
      const { message } = await svc.call('email.message.get', { messageId });
      expect(message.status).to.equal(cancelled ? 'cancelled' : 'sent');
      expect(mail.arrivalsOf(messageId)).to.have.length(cancelled ? 0 : 1);
      const names = events.filter(({ subjectId }) => subjectId === messageId).map(({ type }) => type);
      expect(names).to.deep.equal(['email.queued', cancelled ? 'email.cancelled' : 'email.sent']);
    }
    expect(await platform.count('email_queue', `partition_id = ${sqlId(live.id)}`)).to.equal(0);
  });

  it('does not cancel a sent or suppressed message, and names its status', async () => {
    const { svc, svcTest } = await platform.account();
    const { messageId } = await send(svc);
    await platform.settled();
    const refusal = await svc.refusal('email.message.cancel', { messageId });
    expect(refusal).to.include({ status: 409, code: 'message_not_cancellable' });
    expect(refusal.message).to.contain('is sent');
    const stranger = await send(svcTest, { to: 'stranger@example.com' });
    const suppressed = await svcTest.refusal('email.message.cancel', { messageId: stranger.messageId });
    expect(suppressed).to.include({ status: 409, code: 'message_not_cancellable' });
    expect(suppressed.message).to.contain('is suppressed');
  });

  it('cancels a message after a temporary failure, unless a recipient has got it', async () => {
    const { svc } = await platform.account();
    mail.smtp.onRecipient = (address) => (address.startsWith('later') ? { code: 450, message: 'later' } : null);
    const nobody = await send(svc, { to: 'later@example.com' });
    const some = await send(svc, { to: ['later@example.com', 'now@example.com'] });
    await platform.settled();
    expect(await outcome(svc, nobody.messageId)).to.equal('200 cancelled');
    const refusal = await svc.refusal('email.message.cancel', { messageId: some.messageId });
    expect(refusal).to.include({ code: 'message_not_cancellable' });
    expect(refusal.message).to.contain('sent to some of its recipients');
    mail.smtp.onRecipient = () => null;
    platform.clock.advance(minutes(1));
    await platform.settled();
    expect(mail.arrivalsOf(nobody.messageId)).to.deep.equal([]);
    const shown = await svc.call('email.message.get', { messageId: some.messageId });
    expect(shown.message.status).to.equal('sent');
    expect(shown.recipients.map(({ status }) => status)).to.deep.equal(['sent', 'sent']);
  });

  it('ends only the wait for the next attempt: the message is tried now', async () => {
    const { svc, svcTest } = await platform.account();
    mail.smtp.onRecipient = () => ({ code: 451, message: '4.3.0 later' });
    const { messageId } = await send(svc);
    await platform.settled();
    const wait = { messageId, only: 'wait' } as const;
    mail.smtp.onRecipient = () => null;
    expect((await svcTest.refusal('email.message.cancel', wait)).code).to.equal('not_found');
    expect((await svc.call('email.message.cancel', wait)).message.status).to.be.oneOf(['queued', 'sending']);
    await mail.mailOf(messageId);
    await platform.settled();
    expect((await svc.refusal('email.message.cancel', wait)).message).to.contain('is sent');
    const later = await send(svc, { sendAfter: inHours(1) });
    const untried = await svc.refusal('email.message.cancel', { messageId: later.messageId, only: 'wait' });
    expect(untried).to.include({ status: 409, code: 'message_not_cancellable' });
    expect(untried.message).to.contain('not waiting for another attempt');
  });

  it('answers not_found for another environment’s id and for an unknown id', async () => {
    const { svc, svcTest } = await platform.account();
    const other = await platform.account();
    const { messageId } = await send(svc, { sendAfter: inHours(1) });
    const unknown = '01890a5d-ac96-774b-bcce-b302099a8300';
    const refusals = [
      await svcTest.refusal('email.message.cancel', { messageId }),
      await other.svc.refusal('email.message.cancel', { messageId }),
      await svc.refusal('email.message.cancel', { messageId: unknown }),
    ].map(({ status, code, message, fix }) => ({ status, code, message, fix }));
    expect(refusals[0]).to.include({ status: 404, code: 'not_found' });
    expect(new Set(refusals.map((each) => JSON.stringify(each))).size, 'all alike').to.equal(1);
    expect((await svc.call('email.message.get', { messageId })).message.status).to.equal('queued');
  });
});

describe('email.message.cancel while the mail server hangs', () => {
  const mail = useMail({ receiver: { hang: true } });

  it('does not cancel a message that is being delivered', async () => {
    const { svc } = await mail.platform.account();
    const { messageId } = await send(svc);
    await eventually(() => mail.smtp.connections() > 0, 'the delivery attempt begins');
    const refusal = await svc.refusal('email.message.cancel', { messageId });
    expect(refusal).to.include({ status: 409, code: 'message_not_cancellable' });
    expect(refusal.message).to.contain('is sending');
    await mail.smtp.close();
    await mail.platform.settled();
    expect((await svc.call('email.message.cancel', { messageId })).message.status, 'refused for now').to.equal(
      'cancelled',
    );
  });
});
