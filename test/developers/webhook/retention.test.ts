import { expect } from 'chai';
import { housekeeping } from '#core/platform/housekeeping.js';
import { deliveryRetention } from '#plugins/developers/deliveries/retention.js';
import { days } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { deliveriesOf, endpointAt, quiet, rename, typesOf, useReceivers } from './support.js';

describe('Retention of events and deliveries', () => {
  // Tables that are not divided (SVC_TEST_PARTITIONS): expired rows are deleted one by one.
  const platform = usePlatform({ database: 'empty', settings: () => ({ SVC_EVENT_RETENTION_DAYS: '30' }) });
  const receiverOf = useReceivers();

  /** Runs the hourly jobs. */
  async function forget(): Promise<void> {
    const { services } = platform.running;
    for (const job of [...housekeeping(services), ...deliveryRetention(services)]) await job.run();
  }

  it('keeps everything for the configured time, then deletes events, attempts and queued deliveries', async () => {
    const [receiver, off] = [await receiverOf(), await receiverOf()];
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    const waiting = await endpointAt(svcTest, off);
    await svcTest.call('developers.webhook.disable', { endpointId: waiting.endpointId });
    await rename(svcTest, 'Old');
    await receiver.waitFor(1);
    await quiet(platform);
    platform.clock.advance(days(29));
    await rename(svcTest, 'New');
    await quiet(platform);
    platform.clock.advance(days(1));
    await forget();
    expect(await deliveriesOf(svcTest, endpointId)).to.have.length(2);
    expect(await deliveriesOf(svcTest, waiting.endpointId)).to.have.length(2);
    platform.clock.advance(1);
    await forget();
    const { events } = await svcTest.call('developers.event.list', { types: ['account.theme.draft_saved'] });
    expect(events.map(({ data }) => data)).to.have.length(1);
    for (const id of [endpointId, waiting.endpointId]) {
      const left = await deliveriesOf(svcTest, id);
      expect(left.map(({ eventId }) => eventId)).to.deep.equal(events.map((event) => event.id));
    }
    expect(await platform.count('developers_webhook_queue')).to.equal(1);
    await svcTest.call('developers.webhook.enable', { endpointId: waiting.endpointId });
    await off.waitFor(1);
    await quiet(platform);
    expect(off.received.map(({ event }) => event.id)).to.deep.equal(events.map((event) => event.id));
    expect(typesOf(receiver)).to.have.length(2);

    platform.clock.advance(days(31));
    await forget();
    expect(await platform.count('svc_event')).to.equal(0);
    expect(await platform.count('developers_delivery')).to.equal(0);
    expect(await platform.count('developers_webhook_queue')).to.equal(0);
    expect((await svcTest.call('developers.webhook.get', { endpointId })).endpoint.status).to.equal('enabled');
  });

  it('deletes in pages, however many rows there are', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    await endpointAt(svcTest, receiver);
    await rename(svcTest, 'Many');
    await receiver.waitFor(1);
    await quiet(platform);
    const { database } = platform.running.services;
    const columns = 'environment_id, endpoint_id, event_id, event_type, chain_id, attempt, status, scheduled_at';
    await database.run(
      `INSERT INTO developers_delivery (id, ${columns})
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 900)
       SELECT UNHEX(LEFT(SHA2(CONCAT(a.n, '-', b.n), 256), 32)), ${columns} FROM developers_delivery, numbers a, (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3) b`,
    );
    expect(await platform.count('developers_delivery')).to.equal(2_701);
    platform.clock.advance(days(31));
    await forget();
    expect(await platform.count('developers_delivery')).to.equal(0);
  });
});
