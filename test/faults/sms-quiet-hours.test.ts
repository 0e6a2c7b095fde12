import { expect } from 'chai';
import { idBytes, newId } from '#core/runtime/id.js';
import { textsPerStep } from '#plugins/sms/quiet-hours/changed.js';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { textAt } from './support/call.js';
import { openStage, type Stage } from './support/stage.js';

/** Queues texts of a broadcast that wait for a time a day ahead, 500 per statement. */
async function queueWaiting({ db }: Stage, broadcastId: string, count: number): Promise<void> {
  const dueAt = new Date(Date.now() + 86_400_000);
  for (let done = 0; done < count; done += 500) {
    const rows = Array.from({ length: 500 }, () => [idBytes(newId()), idBytes(broadcastId), 2, dueAt, 0, 0]);
    await db.run(
      `INSERT INTO sms_queue (id, partition_id, lane, due_at, attempts, leased) VALUES ${rows.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')}`,
      rows.flat(),
    );
  }
}

describe('A node that is killed while changed quiet hours are applied to many waiting texts', function () {
  this.timeout(120_000);
  needProducts('audience', 'sms');
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  it('has made a part of them due, in statements of their own; the next node makes all of them due', async () => {
    const stage = await openStage();
    stages.push(stage);
    const { db } = stage;
    const due = async (): Promise<number> =>
      (await db.rows('SELECT id FROM sms_queue WHERE due_at <= NOW(3) + INTERVAL 1 HOUR')).length;

    const node = await stage.start({ fault: 'sms.quiet.hours.step:2' });
    await stage.askLive(node, 'sms.settings.set', { quietHours: { enabled: true, from: '00:00', to: '23:59' } });
    await eventually(async () => (await db.rows('SELECT id FROM sms_quiet_hours_queue')).length === 0, 'no more work');
    const draft = await stage.askLive(node, 'sms.broadcast.create', {
      name: 'Sale',
      template: 'sale',
      topic: 'offers',
    });
    const broadcastId = textAt(draft, 'broadcast', 'id');
    // Held, so that the texts, which have no messages, are not claimed.
    await db.run("UPDATE sms_broadcast SET status = 'held' WHERE id = ?", [idBytes(broadcastId)]);
    await queueWaiting(stage, broadcastId, 3 * textsPerStep);
    // A change of another setting does not affect them.
    await stage.askLive(node, 'sms.settings.set', { maxSegments: 3 });
    expect(await db.rows('SELECT id FROM sms_quiet_hours_queue')).to.have.length(0);

    await stage.askLive(node, 'sms.settings.set', { quietHours: { enabled: false } }).catch(() => undefined);
    await node.diedAtPoint();
    expect(await due()).to.equal(2 * textsPerStep);

    // Leases of a dead node are released immediately instead of after half a minute.
    await db.run('UPDATE sms_quiet_hours_queue SET leased = 0, lease_token = NULL, lease_until = NULL');
    await stage.start();
    await eventually(async () => (await due()) === 3 * textsPerStep, 'all texts are due', 30_000);
    await eventually(async () => (await db.rows('SELECT id FROM sms_quiet_hours_queue')).length === 0, 'no more work');
  });
});
