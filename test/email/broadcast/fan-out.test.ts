import { expect } from 'chai';
import { insertSubscribers } from '#test/support/contact-rows.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import { sqlId, useMail } from '../support.js';
import { publish, publisher, sendBroadcast, shown, type Publisher } from './support.js';

/** Contacts in one step of the fan-out (core/messaging/broadcasts/fan-out.ts). */
const step = 5_000;
const people = 2 * step + 100;

describe('A broadcast that is stopped while its messages are made', function () {
  this.timeout(120_000);
  const mail = useMail();
  const { platform } = mail;
  const gate = createGate();
  before(() => {
    gate.close();
    mail.smtp.onMessage = async () => {
      await gate.pass();
      return null;
    };
  });
  after(() => {
    gate.open();
  });

  const made = (broadcastId: string): Promise<number> =>
    platform.count('email_message', `broadcast_id = ${sqlId(broadcastId)}`);

  /** A broadcast whose first step is committed; `change` is called while the second one is being written. */
  async function stopped(
    domain: string,
    change: (sender: Publisher, broadcastId: string) => Promise<unknown>,
  ): Promise<Publisher & { broadcastId: string }> {
    const sender = await publisher(platform);
    const { database } = platform.running.services;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await insertSubscribers(database, sqlId(sender.live.id), { count: people, topic: 'news', domain });
    // Scheduled, so that the wait for its first step begins before it does.
    const scheduledAt = new Date(platform.clock.now().getTime() + 1_000).toISOString();
    const broadcastId = await sendBroadcast(sender, { scheduledAt });
    platform.clock.advance(1_000);
    await eventually(async () => (await made(broadcastId)) >= step, 'the first step', 60_000, 1);
    await database.transaction(async (db) => {
      await db.rows(`SELECT queued FROM email_broadcast_count WHERE broadcast_id = ${sqlId(broadcastId)} FOR UPDATE`);
      if ((await made(broadcastId)) < people) await untilWaiting(platform, 1, 'a step waits for the counts');
      await change(sender, broadcastId);
    });
    return { ...sender, broadcastId };
  }

  it('paused: created messages are held; resumed: it continues there, and everybody gets one message', async () => {
    const { broadcastId, ...sender } = await stopped('paused.example', ({ svc }, id) =>
      svc.call('email.broadcast.pause', { broadcastId: id }),
    );
    await platform.settled();
    const held = await shown(sender, broadcastId);
    const before = await made(broadcastId);
    expect(held.status).to.equal('held');
    expect(held.counts).to.deep.include({ recipients: before });
    expect(before, 'the step that was being written is undone').to.be.lessThan(people);
    await sender.svc.call('email.broadcast.resume', { broadcastId });
    await eventually(async () => (await made(broadcastId)) === people, 'all are made', 60_000);
    const [row] = await platform.running.services.database.rows<{ contacts: number }>(
      `SELECT COUNT(DISTINCT contact_id) AS contacts FROM email_message WHERE broadcast_id = ${sqlId(broadcastId)}`,
    );
    expect(row?.contacts).to.equal(people);
    expect((await shown(sender, broadcastId)).counts?.recipients).to.equal(people);
    await sender.svc.call('email.broadcast.cancel', { broadcastId });
  });

  it('cancelled: nothing more is made, and what was made ends as cancelled', async () => {
    const { broadcastId, ...sender } = await stopped('cancelled.example', ({ svc }, id) =>
      svc.call('email.broadcast.cancel', { broadcastId: id }),
    );
    const { counts } = await shown(sender, broadcastId);
    const total = counts?.recipients ?? 0;
    expect(total).to.be.greaterThan(0).and.to.be.lessThan(people);
    gate.open();
    await eventually(
      async () => (await shown(sender, broadcastId)).completedAt !== null,
      'every message has ended',
      60_000,
    );
    const ended = await shown(sender, broadcastId);
    expect(await made(broadcastId)).to.equal(total);
    expect(ended.status).to.equal('closed');
    expect((ended.counts?.sent ?? 0) + (ended.counts?.cancelled ?? 0)).to.equal(total);
    expect(await platform.count('email_queue', `partition_id = ${sqlId(broadcastId)}`)).to.equal(0);
  });
});
