import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import plugin from '#plugins/audience/index.js';
import { retention } from '#plugins/audience/events/retention.js';
import { days } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { contactOf } from '../support.js';

describe('Retention of recorded events', () => {
  const platform = usePlatform({ settings: () => ({ SVC_EVENT_RETENTION_DAYS: '30' }) });

  /** Runs the hourly job once. */
  async function forget(): Promise<void> {
    for (const job of retention(platform.running.services)) await job.run();
  }

  it('keeps events for the configured time, and then only the tally', async () => {
    const { svc } = await platform.account();
    const { id: contactId } = await contactOf(svc);
    const record = async (eventId: string): Promise<boolean> =>
      (await svc.call('audience.event.record', { contactId, name: 'visit', eventId })).recorded;
    const counted = async (): Promise<number | undefined> => {
      const [row] = await platform.running.services.database.rows<{ count: number }>(
        'SELECT `count` FROM audience_event_tally WHERE contact_id = ?',
        [idBytes(contactId)],
      );
      return row?.count;
    };
    await record('first');
    platform.clock.advance(days(29));
    await record('second');
    platform.clock.advance(days(1));
    await forget();
    expect(await platform.count('audience_event')).to.equal(2);
    expect(await record('first')).to.equal(false);
    platform.clock.advance(1);
    await forget();
    expect(await platform.count('audience_event')).to.equal(1);
    expect(await record('second')).to.equal(false);
    // The eventId was deleted with the event, so it can be recorded again.
    expect(await record('first')).to.equal(true);
    platform.clock.advance(days(31));
    await forget();
    expect(await platform.count('audience_event')).to.equal(0);
    expect(await counted()).to.equal(3);
  });

  it('counts from when events were recorded, not from when they happened, for any number of events', async () => {
    const { svc } = await platform.account();
    const { id: contactId } = await contactOf(svc);
    await svc.call('audience.event.record', { contactId, name: 'visit', occurredAt: '2001-01-01T00:00:00Z' });
    await forget();
    expect(await platform.count('audience_event')).to.equal(1);
    await platform.running.services.database.run(
      `INSERT INTO audience_event (id, environment_id, contact_id, name, properties, occurred_at, recorded_at)
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 900)
       SELECT UNHEX(LEFT(SHA2(CONCAT(a.n, '-', b.n), 256), 32)), environment_id, contact_id, name, properties, occurred_at, recorded_at
       FROM audience_event, numbers a, (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3) b`,
    );
    expect(await platform.count('audience_event')).to.equal(2_701);
    platform.clock.advance(days(31));
    await forget();
    expect(await platform.count('audience_event')).to.equal(0);
  });

  it('runs as a recurring job', () => {
    expect(plugin.jobs(platform.running.services).map(({ name }) => name)).to.include('audience.forget-events');
  });
});
