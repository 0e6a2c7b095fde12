import { expect } from 'chai';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { minutes } from '#test/support/clock.js';
import { insertSubscribers } from '#test/support/contact-rows.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import { skipOnVitess } from '#test/support/vitess.js';
import { sqlId } from '../support.js';
import { draft, publish, publisher, reached, subscribe } from './support.js';

describe('An audience that takes longer than a call to count', function () {
  this.timeout(60_000);
  const platform = usePlatform();
  const stored = (broadcastId: string): Promise<number> =>
    platform.count('email_broadcast_audience', `broadcast_id = ${sqlId(broadcastId)}`);

  it('is counted in the background, once and again while it waits, and shown with its time', async function () {
    skipOnVitess(this, 'LOCK TABLES');
    const sender = await publisher(platform);
    const { svc, live } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    // No index lists its contacts, or the others: it is counted in steps.
    const definition = { field: 'email', op: 'contains', value: 'slow.example' };
    const { segment } = await svc.call('audience.segment.create', { name: 'Slow', definition });
    const own = await connectDatabase({ url: platform.databaseUrl, poolSize: 1 });
    await insertSubscribers(own, sqlId(live.id), { count: 20_100, topic: 'news', domain: 'slow.example' });

    // The first step of the count, 20,000 contacts, waits until the 4 seconds are over.
    await own.run('LOCK TABLES audience_contact WRITE');
    const creating = svc.call('email.broadcast.create', { ...draft(sender), segmentId: segment.id });
    const began = performance.now();
    await eventually(() => performance.now() - began > 4_500, 'the time for counting is over');
    await own.run('UNLOCK TABLES');
    const created = await creating;
    expect(created.readiness.audience).to.deep.include({ eligible: 20_000, exact: false });
    const broadcastId = created.broadcast.id;

    const audience = async () => (await svc.call('email.broadcast.get', { broadcastId })).readiness.audience;
    await platform.settled();
    const counted = await audience();
    expect(counted).to.deep.include({ eligible: 20_100, exact: true, countedAt: platform.clock.now().toISOString() });

    await subscribe(sender, ['new@slow.example']);
    platform.clock.advance(minutes(1));
    await svc.call('email.broadcast.update', { broadcastId, name: 'Other name' });
    await platform.settled();
    expect(await audience(), 'the count is kept with its time').to.deep.equal(counted);
    platform.clock.advance(minutes(10));
    await eventually(async () => (await audience())?.eligible === 20_101, 'it was counted again');

    const all = await svc.call('email.broadcast.update', { broadcastId, segmentId: null });
    expect(all.readiness.audience).to.deep.include({ eligible: 20_101, countedAt: platform.clock.now().toISOString() });
    expect(await stored(broadcastId), 'this call has counted it').to.equal(0);

    await own.run('DELETE FROM audience_consent WHERE topic = ?', [Buffer.from('news')]);
    await own.close();
  });

  it('is counted again before its first message, because the stored count is old by then', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['ada@stored.example']);
    const { broadcast } = await svc.call('email.broadcast.create', draft(sender));
    const broadcastId = broadcast.id;
    const counts = { eligible: 7, noConsent: 0, optedOut: 0, suppressed: 0, countries: [], without: [] };
    await platform.running.services.database.run(
      `INSERT INTO email_broadcast_audience (broadcast_id, question, asked_at, counted_at, counted) VALUES (${sqlId(broadcastId)}, ?, ?, ?, ?)`,
      [
        JSON.stringify({ topic: 'news', segmentId: null, properties: [] }),
        platform.clock.now(),
        platform.clock.now(),
        JSON.stringify(counts),
      ],
    );
    const { readiness } = await svc.call('email.broadcast.get', { broadcastId });
    expect(readiness.audience).to.deep.include({ eligible: 7, exact: true });
    const sent = await svc.call('email.broadcast.send', { broadcastId });
    expect([sent.recipients, sent.broadcast.status]).to.deep.equal([7, 'scheduled']);
    await reached(sender, broadcastId, 'sent');
    const { broadcast: ended } = await svc.call('email.broadcast.get', { broadcastId });
    expect(ended.counts).to.deep.include({ recipients: 1, sent: 1 });
  });
});
