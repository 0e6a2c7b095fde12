import { expect } from 'chai';
import { closedEnvironments, closeEnvironments, reopenEnvironments } from '#core/kernel/environment/environment.js';
import { environmentTurns } from '#core/kernel/environment/turns.js';
import { defineOperation } from '#core/kernel/operation.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import { insertInto } from '#core/runtime/database/statement.js';
import { newId } from '#core/runtime/id.js';
import { completeWork, workRow, type Claim } from '#core/runtime/work/queue.js';
import { queueTable } from '#core/runtime/work/tables.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import { lab } from './support/lab.js';

const performed: Claim[] = [];

const queue = defineOperation({
  name: 'lab.work.queue',
  summary: 'Accept work.',
  access: 'secret',
  input: object({ fail: boolean() }),
  output: object({ done: boolean() }),
  example: { input: { fail: false }, output: { done: true } },
  async handle({ fail }, { db, caller, clock, wake }) {
    const row = workRow({ id: newId(), partitionId: caller.environment.id, lane: 'system', dueAt: clock.now() });
    await db.run(insertInto('lab_work', [row]));
    wake('lab');
    if (fail) throw new Error('no');
    return { done: true };
  },
});

const product = definePlugin({
  ...lab(queue),
  async setUp({ database }) {
    await database.run(queueTable('lab_work'));
  },
  work: ({ database }) => [
    {
      name: 'lab',
      table: 'lab_work',
      concurrency: 4,
      excludedPartitions: [{ partitions: closedEnvironments }],
      turnsOf: environmentTurns(database),
      async perform(claim) {
        performed.push(claim);
        await completeWork(database, { table: 'lab_work' }, claim);
      },
    },
  ],
});

describe('Work that a call accepts', () => {
  const platform = usePlatform({ plugins: [product] });
  beforeEach(() => (performed.length = 0));
  const post = (api: { raw: typeof platform.api.raw }, fail: boolean): ReturnType<typeof platform.api.raw> =>
    api.raw('/lab/work/queue', JSON.stringify({ fail }));

  it('begins as soon as the call has committed', async () => {
    const { svc, live } = await platform.account();
    await post(svc, false);
    await eventually(() => performed.length === 1, 'the work');
    expect(performed[0]).to.include({ partitionId: live.id, attempts: 1 });
  });

  it('is not there when the call failed', async () => {
    const { svc } = await platform.account();
    expect((await post(svc, true)).status).to.equal(500);
    await platform.settled();
    expect([performed.length, await platform.count('lab_work')]).to.deep.equal([0, 0]);
  });

  it('waits while its account is closed, and goes on when it is open again', async () => {
    const { svc, svcTest, accountId, live } = await platform.account();
    const other = await platform.account();
    const { transaction } = platform.running.services;
    await transaction('Test', ({ db, clock }) => closeEnvironments(db, accountId, clock.now()));
    await post(svc, false);
    await post(svcTest, false);
    await post(other.svc, false);
    await platform.settled();
    expect(performed.map(({ partitionId }) => partitionId)).to.deep.equal([other.live.id]);
    await transaction('Test', ({ db, clock }) => reopenEnvironments(db, accountId, clock.now()));
    await eventually(() => performed.length === 3, 'the reopened account’s work');
    expect(performed.map(({ partitionId }) => partitionId)).to.include(live.id);
  });

  it('survives a restart', async () => {
    const { accountId, svc } = await platform.account();
    await platform.running.services.transaction('Test', ({ db, clock }) =>
      closeEnvironments(db, accountId, clock.now()),
    );
    await post(svc, false);
    await platform.restart();
    expect(performed).to.deep.equal([]);
    await platform.running.services.transaction('Test', ({ db, clock }) =>
      reopenEnvironments(db, accountId, clock.now()),
    );
    await eventually(() => performed.length === 1, 'the work after the restart');
  });
});
