import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import type { TestAccount } from '#test/support/platform.js';
import { sqlId } from '#test/email/support.js';
import { useTexts } from '../support.js';
import { draft, mobile, reached, sendBroadcast, shown, subscribe, texter } from './support.js';

describe('Broadcasts of texts that are held, resumed and cancelled', () => {
  const given = useTexts();
  const { platform } = given;

  const arrived = (): number => given.twilio.texts.length;

  /** A broadcast whose texts were tried once and answered with “try again later”, so that they stay queued. */
  const waiting = async (count: number): Promise<TestAccount & { broadcastId: string }> => {
    const account = await texter(platform);
    await subscribe(
      account,
      Array.from({ length: count }, (_, n) => mobile(n)),
    );
    given.twilio.refusals.set('*', { status: 429, code: 20_429, message: 'Too Many Requests' });
    const broadcastId = await sendBroadcast(account);
    const own = `message_id IN (SELECT id FROM sms_message WHERE broadcast_id = ${sqlId(broadcastId)})`;
    await eventually(async () => {
      const { counts } = await shown(account, broadcastId);
      return counts?.sending === 0 && (await platform.count('sms_attempt', own)) === count;
    }, 'each text was tried once');
    given.twilio.refusals.clear();
    return { ...account, broadcastId };
  };

  it('pause holds what waits, resume lets it go; repeats change nothing', async () => {
    const { broadcastId, ...account } = await waiting(4);
    const { svc, live } = account;
    const before = arrived();
    const paused = await svc.call('sms.broadcast.pause', { broadcastId });
    expect(paused.pausedMessages).to.equal(4);
    expect(paused.broadcast).to.deep.include({ status: 'held', holdReason: 'paused' });
    expect((await svc.call('sms.broadcast.pause', { broadcastId })).pausedMessages).to.equal(0);
    platform.clock.advance(hours(1));
    await platform.settled();
    expect(arrived()).to.equal(before);
    const held = await svc.call('sms.message.list', { status: 'held' });
    expect(held.messages).to.have.length(4);
    const resumed = await svc.call('sms.broadcast.resume', { broadcastId });
    expect(resumed.resumedMessages).to.equal(4);
    await reached(account, broadcastId, 'sent');
    expect((await shown(account, broadcastId)).counts).to.deep.include({ recipients: 4, sent: 4, held: 0, queued: 0 });
    await platform.settled();
    const names = (await platform.events(live)).map(({ type }) => type).filter((each) => /^sms\.broadcast/.test(each));
    expect(names).to.deep.equal([
      'sms.broadcast.created',
      'sms.broadcast.queued',
      'sms.broadcast.paused',
      'sms.broadcast.resumed',
    ]);
  });

  it('cancel ends what waits, with an event for each text; a draft is closed', async () => {
    const { broadcastId, ...account } = await waiting(3);
    const { svc, live } = account;
    const before = arrived();
    const cancelled = await svc.call('sms.broadcast.cancel', { broadcastId });
    expect(cancelled.cancelledMessages).to.equal(3);
    expect(cancelled.broadcast).to.deep.include({ status: 'closed' });
    expect(cancelled.broadcast.counts).to.deep.include({ recipients: 3, cancelled: 3, queued: 0 });
    expect((await svc.call('sms.broadcast.cancel', { broadcastId })).cancelledMessages).to.equal(0);
    await eventually(
      async () => (await shown(account, broadcastId)).completedAt !== null,
      'the texts are cancelled in their rows',
    );
    platform.clock.advance(hours(1));
    await platform.settled();
    expect(arrived()).to.equal(before);
    const types = (await platform.events(live)).map(({ type }) => type);
    expect(types.filter((type) => type === 'sms.cancelled')).to.have.length(3);
    expect(types.filter((type) => type === 'sms.broadcast.cancelled')).to.have.length(1);
    const { broadcast } = await svc.call('sms.broadcast.create', draft());
    const closed = await svc.call('sms.broadcast.cancel', { broadcastId: broadcast.id });
    expect(closed.broadcast.status).to.equal('closed');
  });

  it('cancelling one text of a broadcast changes its counts', async () => {
    const { broadcastId, ...account } = await waiting(2);
    const { messages } = await account.svc.call('sms.message.list', { broadcastId });
    await account.svc.call('sms.message.cancel', { messageId: messages[0]?.messageId ?? '' });
    expect((await shown(account, broadcastId)).counts).to.deep.include({ recipients: 2, cancelled: 1, queued: 1 });
    platform.clock.advance(hours(1));
    await reached(account, broadcastId, 'sent');
    expect((await shown(account, broadcastId)).counts).to.deep.include({ recipients: 2, cancelled: 1, sent: 1 });
  });

  it('a closed account holds it until it is resumed', async () => {
    const { broadcastId, ...account } = await waiting(2);
    const { svc } = account;
    await svc.call('account.close', { reason: 'For a while.' });
    await reached(account, broadcastId, 'held');
    expect((await shown(account, broadcastId)).holdReason).to.equal('account_closed');
    expect((await svc.refusal('sms.broadcast.resume', { broadcastId })).code).to.equal('account_closed');
    const { broadcast } = await svc.call('sms.broadcast.create', draft());
    const refused = await svc.refusal('sms.broadcast.send', { broadcastId: broadcast.id });
    expect(refused).to.include({ status: 403, code: 'account_closed' });
    await svc.call('account.reopen', {});
    expect((await shown(account, broadcastId)).status).to.equal('held');
    await svc.call('sms.broadcast.resume', { broadcastId });
    platform.clock.advance(hours(1));
    await reached(account, broadcastId, 'sent');
  });

  it('refuses to hold a draft, to resume what is not held, and to cancel what is sent', async () => {
    const account = await texter(platform);
    const { svc } = account;
    await subscribe(account, [mobile(71)]);
    const { broadcast } = await svc.call('sms.broadcast.create', draft());
    const { id: broadcastId } = broadcast;
    expect((await svc.refusal('sms.broadcast.pause', { broadcastId })).code).to.equal('broadcast_not_sending');
    expect((await svc.refusal('sms.broadcast.resume', { broadcastId })).code).to.equal('broadcast_not_held');
    await svc.call('sms.broadcast.send', { broadcastId });
    await reached(account, broadcastId, 'sent');
    expect((await svc.refusal('sms.broadcast.cancel', { broadcastId })).code).to.equal('broadcast_finished');
  });
});
