import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { createEnvironments } from '#core/kernel/environment/environment.js';
import { batchQueue, storeBatches } from '#core/kernel/events/batch.js';
import type { ConsumedEvent } from '#core/kernel/events/consumer.js';
import { eventQueue } from '#core/kernel/events/outbox.js';
import { definePlugin } from '#core/kernel/plugin.js';
import type { Session } from '#core/runtime/database/session.js';
import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import { insertInto } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { lanes, type Lane } from '#core/runtime/work/queue.js';
import { seconds } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { lab } from './support/lab.js';

let poison: string | undefined;
let last: ConsumedEvent | undefined;
let withData: ConsumedEvent | undefined;

/** Open once the table exists: the platform has recorded events of its own by then. */
const table = createGate();
table.close();

/** Notes in the consumer's transaction what it was given: what counts is what it committed. */
const note = async (db: Session, consumer: string, events: readonly ConsumedEvent[]): Promise<void> => {
  await table.pass();
  const rows = events.map(({ subject, type }) => ({ consumer, about: subject.id, type }));
  await db.run(insertInto('lab_seen', rows));
};

/** Three consumers: one that takes everything, one that reads data, and one that fails at the event about `poison`. */
const product = definePlugin({
  ...lab(),
  consumes: [
    {
      name: 'lab.all',
      async handle(events, { db }) {
        last = events.at(-1);
        await note(db, 'all', events);
      },
    },
    {
      name: 'lab.with-data',
      types: ['account.updated'],
      withData: true,
      handle: (events) => {
        withData = events.at(-1);
        return Promise.resolve();
      },
    },
    {
      name: 'lab.failing',
      types: ['account.updated'],
      async handle(events, { db }) {
        if (events.some(({ subject }) => subject.id === poison)) throw new Error('This event is poison.');
        await note(db, 'failing', events);
      },
    },
  ],
});

describe('Consumers of events', () => {
  const platform = usePlatform({ plugins: [product] });
  const run = (sql: string): Promise<unknown> => platform.running.services.database.run(sql);
  before(async () => {
    await run(`CREATE TABLE lab_seen (
      id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, consumer VARCHAR(10) NOT NULL, about VARCHAR(36) NOT NULL, type VARCHAR(100) NOT NULL)`);
    table.open();
  });

  /** An account whose own events have been handled. */
  async function account(): Promise<TestAccount> {
    const made = await platform.account();
    await platform.settled();
    poison = undefined;
    await deleteInBatches(platform.running.services.database, 'DELETE FROM lab_seen', []);
    return made;
  }

  /** What a consumer has handled, in its order. */
  async function seen(consumer = 'all', column = 'about'): Promise<string[]> {
    const rows = await platform.running.services.database.rows<{ found: string }>(
      `SELECT ${column} AS found FROM lab_seen WHERE consumer = '${consumer}' ORDER BY id`,
    );
    return rows.map(({ found }) => found);
  }
  const seenCount = (consumer = 'all'): Promise<number> => platform.count('lab_seen', `consumer = '${consumer}'`);

  /**
   * Writes events as an outbox would have: committed, and nobody woken.
   * @returns what they are about, in their order
   */
  async function write(
    groups: readonly { environment: Environment; count: number; lane?: Lane; type?: string }[],
  ): Promise<string[]> {
    const rows = groups.flatMap(({ environment, count, lane = 'transactional', type = 'account.updated' }) =>
      Array.from({ length: count }, () => ({
        id: idBytes(newId()),
        environment_id: idBytes(environment.id),
        type: Buffer.from(type),
        subject_type: Buffer.from('account'),
        subject_id: Buffer.from(newId()),
        data: '{}',
        lane: lanes[lane],
        pending: 1,
        created_at: platform.clock.now(),
      })),
    );
    await platform.running.services.database.transaction(async (db) => {
      for (let from = 0; from < rows.length; from += 5_000) {
        await db.run(insertInto('svc_event', rows.slice(from, from + 5_000)));
      }
    });
    return rows.map(({ subject_id }) => subject_id.toString());
  }
  /** The failing batches of this product's consumers, as /metrics shows them. */
  async function failing(): Promise<Record<string, number>> {
    const { text } = await platform.api.raw('/metrics', undefined, { method: 'GET' });
    const lines = text.matchAll(/^svc_event_batches_failing\{consumer="(lab\.\w+)"\} (\d+)$/gm);
    return Object.fromEntries(
      [...lines].map(([, consumer = '', count]): [string, number] => [consumer, Number(count)]),
    );
  }
  const wake = (): void => platform.running.services.wake(eventQueue);

  it('get the event of an account early although another has events waiting in 150 environments', async () => {
    const many = await account();
    const environments = await platform.running.services.database.transaction(async (db) => {
      const made: Environment[] = [];
      for (let count = 0; count < 150; count += 1) {
        const project = { id: newId(), accountId: many.accountId, operator: false };
        made.push((await createEnvironments(db, project, platform.clock.now())).live);
      }
      return made;
    });
    const { live } = await account();
    await write(environments.map((environment) => ({ environment, count: 40 })));
    const [single] = await write([{ environment: live, count: 1 }]);
    wake();
    await eventually(async () => (await seen()).includes(single ?? ''), 'the event of the other account');
    // With the first transaction of the consumer: 32 batches of the account with many, and this one.
    expect((await seen()).indexOf(single ?? '')).to.be.lessThan(1_000);
    await platform.settled();
    expect(await seenCount()).to.equal(6_001);
  });

  it('get each committed event of their types once, with what it is about and the call that caused it', async () => {
    const { svc, live, accountId } = await account();
    await svc.call('developers.key.create', { name: 'Shop', permissions: ['account:read'] });
    const { activityId } = await svc.envelope('account.update', { name: 'Renamed' });
    await platform.settled();
    expect(await seen('all', 'type')).to.deep.equal(['developers.key.created', 'account.updated']);
    expect(last).to.deep.include({
      environmentId: live.id,
      lane: 'transactional',
      subject: { type: 'account', id: accountId },
      personId: null,
      activityId,
    });
    expect(await seen('failing', 'type')).to.deep.equal(['account.updated']);
    expect(await platform.count('svc_event_batch')).to.equal(0);
  });

  it('get the data of each event where they ask for it, and not where they do not', async () => {
    const { svc, live } = await account();
    await svc.call('account.update', { name: 'Renamed' });
    await platform.settled();
    const renamed = (await platform.events(live)).find(({ type }) => type === 'account.updated');
    expect(withData?.type).to.equal('account.updated');
    expect(withData?.data).to.deep.equal(renamed?.data).and.to.have.property('account');
    expect(last?.type).to.equal('account.updated');
    expect(last?.data).to.equal(undefined);
  });

  it('do not wait for one that fails, whose events are tried again until the one at fault is alone', async () => {
    const { live } = await account();
    const about = await write([{ environment: live, count: 8 }]);
    poison = about[5];
    wake();
    await platform.settled();
    expect(await seen()).to.deep.equal(about);
    expect(await seen('failing')).to.deep.equal([]);
    const others = about.filter((id) => id !== poison);
    for (let wait = 0; wait < 40 && (await seenCount('failing')) < others.length; wait += 1) {
      platform.clock.advance(seconds(2));
      await platform.settled();
    }
    expect(await seen('failing')).to.have.members(others);
    expect(await platform.count('svc_event_batch')).to.equal(1);
    expect(await platform.count('svc_event_batch', 'first_position = last_position')).to.equal(1);
    expect(await failing(), 'the metric for the operator').to.deep.equal({ 'lab.all': 0, 'lab.failing': 1 });
    // Nothing else waits for it, and it is handled once its consumer can.
    const [later = ''] = await write([{ environment: live, count: 1 }]);
    wake();
    await platform.settled();
    expect(await seen('failing')).to.include(later);
    platform.clock.advance(seconds(4));
    await platform.settled();
    expect(await platform.count('svc_event_batch', "error LIKE '%poison%'")).to.equal(1);
    poison = undefined;
    platform.clock.advance(seconds(300));
    await platform.settled();
    expect(await seen('failing')).to.have.members([...about, later]);
    expect([await seenCount(), await platform.count('svc_event_batch')]).to.deep.equal([9, 0]);
    expect(await failing()).to.deep.equal({ 'lab.all': 0, 'lab.failing': 0 });
  });

  it('get another environment’s event at once while twenty thousand of one environment wait', async () => {
    const [crowd, single] = [await account(), await account()];
    const about = await write([
      { environment: crowd.live, count: 20_000 },
      { environment: single.live, count: 1 },
    ]);
    wake();
    await eventually(async () => (await seenCount()) >= 2_000, 'the first of them');
    expect((await seen()).indexOf(about.at(-1) ?? '')).to.be.within(0, 2_000);
    const before = await seenCount();
    const [late = ''] = await write([{ environment: single.live, count: 1 }]);
    wake();
    await eventually(async () => (await platform.count('lab_seen', `about = '${late}'`)) > 0, 'the later one');
    expect((await seen()).indexOf(late) - before).to.be.lessThan(5_000);
  });

  it('get an event at once while thousands of the same environment wait in the bulk lane', async () => {
    const { live } = await account();
    const about = await write([
      { environment: live, count: 5_000, lane: 'bulk' },
      { environment: live, count: 1 },
    ]);
    wake();
    await eventually(async () => (await seenCount()) >= 2_000, 'the first of them');
    expect((await seen()).indexOf(about.at(-1) ?? '')).to.be.within(0, 2_000);
    await eventually(async () => (await seenCount()) === 5_001, 'all of them');
    // In the order of the log.
    expect((await seen()).filter((id) => id !== about.at(-1)).join() === about.slice(0, -1).join()).to.equal(true);
  });

  it('get the events of a closed account too', async () => {
    const { live } = await account();
    const { database } = platform.running.services;
    await database.run('UPDATE svc_environment SET closed_at = ? WHERE id = ?', [
      platform.clock.now(),
      idBytes(live.id),
    ]);
    const about = await write([{ environment: live, count: 1 }]);
    wake();
    await platform.settled();
    expect(await seen()).to.deep.equal(about);
  });

  it('share the work of two processes, each event handled once', async () => {
    const accounts = [await account(), await account(), await account()];
    const node = await platform.secondNode();
    const about = await write(accounts.map(({ live }) => ({ environment: live, count: 1_000 })));
    wake();
    node.running.services.wake(eventQueue);
    await eventually(async () => (await seenCount()) >= 3_000, 'all of them');
    await platform.settled();
    expect(await seen()).to.have.length(3_000);
    expect(new Set(await seen())).to.deep.equal(new Set(about));
    await node.stop();
  });

  it('leaves events of a consumer that it does not know to other nodes, for an hour', async () => {
    const { live } = await account();
    const { database } = platform.running.services;
    const waiting = (): Promise<number> => platform.count('svc_event_batch', "consumer = 'lab.elsewhere'");
    const batch = {
      consumer: 'lab.elsewhere',
      environmentId: live.id,
      lane: 'transactional',
      first: 1,
      last: 1,
    } as const;
    await database.transaction((db) => storeBatches(db, [batch], platform.clock.now()));
    platform.running.services.wake(batchQueue.name);
    await platform.settled();
    expect(await waiting()).to.equal(1);
    // As if it had been claimed for an hour.
    await run(
      `UPDATE ${batchQueue.table} q JOIN svc_event_batch b ON b.id = q.id SET q.attempts = 60 WHERE b.consumer = 'lab.elsewhere'`,
    );
    platform.clock.advance(seconds(61));
    platform.running.services.wake(batchQueue.name);
    await platform.settled();
    expect(await waiting()).to.equal(0);
  });
});

describe('The log of events', () => {
  const platform = usePlatform();

  it('can be followed without loss: an event that commits late stands before all that were listed', async () => {
    const { svc, live } = await platform.account();
    const { services } = platform.running;
    const slow = createGate();
    slow.close();
    const listed = async (): Promise<string[]> => {
      await platform.settled();
      return (await svc.call('developers.event.list', {})).events.map(({ id }) => id);
    };
    const { account } = await svc.call('account.get', {});
    let late = '';
    const first = services.transaction('Test', async ({ emit, actIn }) => {
      actIn(live);
      late = emit('account.updated', { subjectId: account.id, data: { account } });
      await slow.pass();
    });
    await slow.reached(1);
    await svc.call('account.update', { name: 'Later, and committed first' });
    const [newest] = await listed();
    slow.open();
    await first;
    expect(late < (newest ?? ''), 'its id is the lower one').to.equal(true);
    expect((await listed()).slice(0, 2)).to.deep.equal([late, newest]);
  });
});
