import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import type { Gate } from '#test/support/gate.js';
import { usePlatform } from '#test/support/platform.js';
import { useStatementGate } from '#test/support/statement-gate.js';
import { sqlId } from '../support.js';
import { publish, publisher, reached, sendBroadcast, shown, subscribe, type Publisher } from './support.js';

describe('A broadcast whose audience is counted before its first message', () => {
  const statements = useStatementGate();
  const platform = usePlatform({ databaseUrl: statements.databaseUrl });

  let held: Gate | undefined;
  // A case that failed must not hold up the others.
  afterEach(() => held?.open());

  /** A broadcast whose time has come; a worker is counting its audience until the gate is opened. */
  const counted = async (): Promise<{ sender: Publisher; broadcastId: string; counting: Gate }> => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['ada@counted.example']);
    const scheduledAt = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const broadcastId = await sendBroadcast(sender, { scheduledAt });
    const counting = statements.hold('AS reachable');
    held = counting;
    platform.clock.advance(hours(1));
    await counting.reached(1);
    return { sender, broadcastId, counting };
  };
  const messagesOf = (broadcastId: string): Promise<number> =>
    platform.count('email_message', `broadcast_id = ${sqlId(broadcastId)}`);
  const changesOf = async ({ live }: Publisher): Promise<string[]> =>
    (await platform.events(live)).map(({ type }) => type).filter((type) => /broadcast\.(pa|re)/.test(type));

  it('can be paused: nothing of it is sent until it is resumed', async () => {
    const { sender, broadcastId, counting } = await counted();
    const { svc } = sender;
    const paused = await svc.call('email.broadcast.pause', { broadcastId });
    expect(paused.pausedMessages).to.equal(0);
    expect(paused.broadcast).to.deep.include({ status: 'held', holdReason: 'paused', counts: null, sentAt: null });
    counting.open();
    await platform.settled();
    expect(await shown(sender, broadcastId)).to.deep.include({ status: 'held', holdReason: 'paused' });
    expect(await messagesOf(broadcastId)).to.equal(0);

    const resumed = await svc.call('email.broadcast.resume', { broadcastId });
    expect([resumed.broadcast.status, resumed.resumedMessages]).to.deep.equal(['scheduled', 0]);
    await reached(sender, broadcastId, 'sent');
    expect(await messagesOf(broadcastId)).to.equal(1);
    expect(await changesOf(sender)).to.deep.equal(['email.broadcast.paused', 'email.broadcast.resumed']);
  });

  it('can be paused and resumed while it is being counted', async () => {
    const { sender, broadcastId, counting } = await counted();
    await sender.svc.call('email.broadcast.pause', { broadcastId });
    await sender.svc.call('email.broadcast.resume', { broadcastId });
    counting.open();
    await reached(sender, broadcastId, 'sent');
    expect(await messagesOf(broadcastId)).to.equal(1);
  });

  it('is held when its account is closed meanwhile, and stays held when the account is open again', async () => {
    const { sender, broadcastId, counting } = await counted();
    const { svc } = sender;
    await svc.call('account.close', { reason: 'We moved.' });
    await eventually(
      async () =>
        (await platform.count('svc_event', 'pending = 1')) + (await platform.count('svc_event_batch_queue')) === 0,
      'the closure was handled',
    );
    counting.open();
    await platform.settled();
    await svc.call('account.reopen', {});
    await platform.settled();
    expect(await shown(sender, broadcastId)).to.deep.include({ status: 'held', holdReason: 'account_closed' });
    expect(await messagesOf(broadcastId)).to.equal(0);

    await svc.call('email.broadcast.resume', { broadcastId });
    await reached(sender, broadcastId, 'sent');
    expect(await messagesOf(broadcastId)).to.equal(1);
  });
});
