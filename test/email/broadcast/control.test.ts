import { expect } from 'chai';
import { ownRecords } from '#test/support/own-records.js';
import { hours } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { sqlId, useMail } from '../support.js';
import { draft, publish, publisher, reached, sendBroadcast, shown, subscribe, type Publisher } from './support.js';

const addresses = (count: number, domain: string): string[] =>
  Array.from({ length: count }, (_, index) => `c${index}@${domain}`);

describe('Broadcasts that are held, resumed and cancelled', () => {
  const mail = useMail();
  const { platform } = mail;

  /** A broadcast whose messages are made and answered with “try again later”, so that they stay queued. */
  const waiting = async (count: number, domain: string): Promise<Publisher & { broadcastId: string }> => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, addresses(count, domain));
    mail.smtp.onMessage = () => ({ code: 451, message: '4.3.0 later' });
    const broadcastId = await sendBroadcast(sender);
    await eventually(async () => {
      const { counts } = await shown(sender, broadcastId);
      return (
        counts?.recipients === count &&
        counts.sending === 0 &&
        (await platform.count(
          'email_attempt',
          `message_id IN (SELECT id FROM email_message WHERE broadcast_id = ${sqlId(broadcastId)})`,
        )) === count
      );
    }, 'each message was tried once');
    mail.smtp.onMessage = () => null;
    return { ...sender, broadcastId };
  };

  it('does not reach a contact who has taken over the address that the message was made for', async () => {
    const { svc } = await waiting(1, 'taken.example');
    const email = 'c0@taken.example';
    const { contact } = await svc.call('audience.contact.get', { email });
    await svc.call('audience.contact.update', { contactId: contact.id, email: 'c0@moved.example' });
    const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
    await svc.call('audience.contact.upsert', { email, firstName: 'Bob', consents });
    platform.clock.advance(hours(1));
    await platform.settled();
    const [message] = (await svc.call('email.message.list', { to: email })).messages;
    expect(message?.status).to.equal('suppressed');
    const { blocked } = (await svc.call('email.message.get', { messageId: message?.messageId ?? '' })).message;
    expect(blocked).to.deep.include({
      reason: 'no_consent',
      message: 'The contact’s email address changed after the message was made.',
      fix: 'If the contact should still get it, send it again: it goes to the current address.',
    });
    expect(blocked?.details?.rule).to.equal('address_changed');
    expect(mail.smtp.received.filter(({ recipients }) => recipients.includes(email))).to.deep.equal([]);
  });

  it('pause holds what waits, resume lets it go; repeats change nothing', async () => {
    const { broadcastId, ...sender } = await waiting(5, 'hold.example');
    const { svc, live } = sender;
    const paused = await svc.call('email.broadcast.pause', { broadcastId });
    expect(paused.pausedMessages).to.equal(5);
    expect(paused.broadcast).to.deep.include({ status: 'held', holdReason: 'paused' });
    expect(paused.broadcast.counts).to.deep.include({ recipients: 5, held: 5, queued: 0 });
    expect((await svc.call('email.broadcast.pause', { broadcastId })).pausedMessages).to.equal(0);
    platform.clock.advance(hours(1));
    await platform.settled();
    expect(mail.smtp.received.filter(({ recipients }) => recipients[0]?.endsWith('@hold.example'))).to.deep.equal([]);
    const held = await svc.call('email.message.list', { status: 'held' });
    expect(held.messages).to.have.length(5);
    expect(held.messages[0]?.status).to.equal('held');
    const messageId = held.messages[0]?.messageId ?? '';
    const { timeline } = await svc.call('email.message.get', { messageId });
    expect(timeline.at(-1)).to.deep.equal({ at: paused.broadcast.updatedAt, status: 'held' });
    const resumed = await svc.call('email.broadcast.resume', { broadcastId });
    expect(resumed.resumedMessages).to.equal(5);
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ recipients: 5, sent: 5, held: 0, queued: 0 });
    const names = (await platform.events(live))
      .map(({ type }) => type)
      .filter((type) => type.startsWith('email.broadcast.'));
    expect(names).to.deep.equal([
      'email.broadcast.created',
      'email.broadcast.queued',
      'email.broadcast.paused',
      'email.broadcast.resumed',
    ]);
    expect(await svc.refusal('email.broadcast.pause', { broadcastId })).to.include({
      status: 409,
      code: 'broadcast_not_sending',
    });
    expect(await svc.refusal('email.broadcast.resume', { broadcastId })).to.include({
      status: 409,
      code: 'broadcast_not_held',
    });
    expect(await svc.refusal('email.broadcast.cancel', { broadcastId })).to.include({
      status: 409,
      code: 'broadcast_finished',
    });
  });

  it('resume does not wait for outcomes that are being recorded, which lock the counts before the broadcast', async () => {
    const { broadcastId, ...sender } = await waiting(1, 'order.example');
    await sender.svc.call('email.broadcast.pause', { broadcastId });
    await platform.running.services.database.transaction(async (db) => {
      await db.rows(`SELECT queued FROM email_broadcast_count WHERE broadcast_id = ${sqlId(broadcastId)} FOR UPDATE`);
      const { broadcast } = await sender.svc.call('email.broadcast.resume', { broadcastId });
      expect(broadcast.status).to.equal('sending');
    });
  });

  it('cancel shows every waiting message as cancelled at once, and writes it to them afterwards', async () => {
    const { broadcastId, ...sender } = await waiting(6, 'cancel.example');
    const { svc, live } = sender;
    const cancelled = await svc.call('email.broadcast.cancel', { broadcastId });
    expect(cancelled.cancelledMessages).to.equal(6);
    expect(cancelled.broadcast.status).to.equal('closed');
    expect(cancelled.broadcast.counts).to.deep.include({ recipients: 6, cancelled: 6, queued: 0 });
    const { messages: waited } = await svc.call('email.message.list', { broadcastId, limit: 1 });
    const one = await svc.call('email.message.get', { messageId: waited[0]?.messageId ?? '' });
    expect(one.message.status).to.equal('cancelled');
    expect(one.timeline.at(-1)).to.deep.equal({ at: cancelled.broadcast.updatedAt, status: 'cancelled' });
    expect((await svc.call('email.broadcast.cancel', { broadcastId })).cancelledMessages).to.equal(0);
    await platform.settled();
    expect((await shown(sender, broadcastId)).completedAt).to.be.a('string');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ recipients: 6, cancelled: 6 });
    expect(await platform.count('email_queue', `partition_id = ${sqlId(broadcastId)}`)).to.equal(0);
    const { messages } = await svc.call('email.message.list', { status: 'cancelled' });
    expect(messages).to.have.length(6);
    const events = (await platform.events(live)).filter(({ type }) => type === 'email.cancelled');
    expect(events.map(({ data }) => data['message'])).to.have.deep.members(messages);
    platform.clock.advance(hours(1));
    await platform.settled();
    expect(mail.smtp.received.filter(({ recipients }) => recipients[0]?.endsWith('@cancel.example'))).to.deep.equal([]);
  });

  it('cancel closes a draft', async () => {
    const sender = await publisher(platform);
    const { broadcast } = await sender.svc.call('email.broadcast.create', draft(sender));
    const closed = await sender.svc.call('email.broadcast.cancel', { broadcastId: broadcast.id });
    expect(closed).to.deep.include({ cancelledMessages: 0 });
    const events = await platform.events(sender.live);
    expect(events.filter(({ type }) => type === 'email.broadcast.cancelled')).to.have.length(1);
    expect(closed.broadcast).to.deep.include({ status: 'closed', counts: null });
    expect(await sender.svc.refusal('email.broadcast.send', { broadcastId: broadcast.id })).to.include({
      code: 'broadcast_not_draft',
    });
  });

  it('a single message of it can be cancelled, and the counts follow', async () => {
    const { broadcastId, ...sender } = await waiting(3, 'single.example');
    const { messages } = await sender.svc.call('email.message.list', { to: 'c1@single.example' });
    const messageId = messages[0]?.messageId ?? '';
    await sender.svc.call('email.broadcast.pause', { broadcastId });
    const { activityId, result } = await sender.svc.envelope('email.message.cancel', { messageId });
    const { message } = result;
    const { activity } = await sender.svc.call('account.activity.get', { activityId });
    expect(activity.changes).to.deep.equal([{ field: 'status', from: 'held', to: 'cancelled' }]);
    await sender.svc.call('email.broadcast.resume', { broadcastId });
    expect(message.status).to.equal('cancelled');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ recipients: 3, queued: 2, cancelled: 1 });
    platform.clock.advance(hours(1));
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ sent: 2, cancelled: 1 });
  });

  it('somebody who opts out or is erased meanwhile gets nothing, and the counts follow', async () => {
    const { broadcastId, ...sender } = await waiting(4, 'optout.example');
    const { svc } = sender;
    const { contact } = await svc.call('audience.contact.get', { email: 'c0@optout.example' });
    await svc.call('audience.consent.revoke', {
      contactId: contact.id,
      topic: 'news',
      channel: 'email',
      source: 'phone',
    });
    const other = await svc.call('audience.contact.get', { email: 'c1@optout.example' });
    await svc.call('audience.contact.delete', { contactId: other.contact.id });
    await platform.settled();
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ recipients: 4, queued: 3, cancelled: 1 });
    platform.clock.advance(hours(1));
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ sent: 2, suppressed: 1, cancelled: 1 });
    const got = mail.smtp.received
      .flatMap(({ recipients }) => recipients)
      .filter((each) => each.endsWith('@optout.example'));
    expect(got).to.have.members(['c2@optout.example', 'c3@optout.example']);
  });

  it('a closure of the account holds it until it is resumed, also after the account is open again', async () => {
    const { broadcastId, ...sender } = await waiting(3, 'closed.example');
    const { svc } = sender;
    await svc.call('account.close', { reason: 'test' });
    await platform.settled();
    expect(await shown(sender, broadcastId)).to.deep.include({ status: 'held', holdReason: 'account_closed' });
    expect(await ownRecords(svc, broadcastId)).to.deep.equal([
      'email.broadcast.pause status=held holdReason=account_closed',
    ]);
    expect(await svc.refusal('email.broadcast.resume', { broadcastId })).to.include({ code: 'account_closed' });
    const { broadcast } = await svc.call('email.broadcast.create', draft(sender));
    const refused = await svc.refusal('email.broadcast.send', { broadcastId: broadcast.id });
    expect(refused).to.include({ status: 403, code: 'account_closed' });
    platform.clock.advance(hours(48));
    await svc.call('account.reopen', {});
    await platform.settled();
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ recipients: 3, held: 3 });
    await svc.call('email.broadcast.resume', { broadcastId });
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ sent: 3 });
  });

  it('one whose time passed while the account was closed is held, and sent once it is resumed', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, addresses(2, 'slept.example'));
    const scheduledAt = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const broadcastId = await sendBroadcast(sender, { scheduledAt });
    await svc.call('account.close', { reason: 'test' });
    platform.clock.advance(hours(48));
    await svc.call('account.reopen', {});
    await reached(sender, broadcastId, 'held');
    expect(await shown(sender, broadcastId)).to.deep.include({ holdReason: 'account_closed', counts: null });
    await svc.call('email.broadcast.resume', { broadcastId });
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ recipients: 2, sent: 2 });
  });
});
