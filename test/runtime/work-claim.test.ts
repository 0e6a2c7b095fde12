import { expect } from 'chai';
import { idBytes, newId } from '#core/runtime/id.js';
import { claimRows, duePartitions } from '#core/runtime/work/claim.js';
import type { WorkQueue } from '#core/runtime/work/queue.js';
import { byPartition, table, useWork } from '#test/support/use-work.js';

interface Plan {
  key: string | null;
  Extra: string;
}

describe('Claiming work', () => {
  const work = useWork();
  const queue: WorkQueue = {
    name: 'lab',
    table,
    concurrency: 1,
    excludedPartitions: [],
    turnsOf: byPartition,
    perform: async () => undefined,
  };
  const partition = newId();

  /** Runs `act` on a connection that records the EXPLAIN output of each statement. */
  async function plansOf(act: (spy: typeof work.test.database) => Promise<unknown>): Promise<Plan[]> {
    const plans: Plan[] = [];
    const real = work.test.database;
    const explaining = async <Row extends object>(
      sql: string,
      parameters: Parameters<typeof real.rows>[1],
    ): Promise<Row[]> => {
      plans.push(...(await real.rows<Plan>(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, parameters)));
      return real.rows<Row>(sql, parameters);
    };
    await act({
      ...real,
      rows: explaining,
      transaction: (inside) => real.transaction((db) => inside({ ...db, rows: explaining })),
    });
    return plans;
  }

  beforeEach(async () => {
    await work.queue(partition, 3_000);
    for (let other = 0; other < 20; other += 1) await work.queue(newId(), 100);
    await work.test.direct.run(`UPDATE ${table} SET leased = 1 WHERE partition_id = ? LIMIT 1000`, [
      idBytes(partition),
    ]);
    await work.test.direct.run(`ANALYZE TABLE ${table}`);
  });

  it('reads rows in index order without sorting, because a sort would lock the whole queue', async () => {
    const due = { lane: 2, partitionId: partition };
    const plans = await plansOf((spy) => claimRows(spy, queue, [due], 64, work.clock.now()));
    expect(plans).to.have.length(1);
    expect(plans[0]?.key).to.equal('claim');
    expect(plans[0]?.Extra).to.not.contain('filesort');
    expect(plans[0]?.Extra).to.not.contain('temporary');
  });

  it('claims rows of many partitions in one transaction, each by the same index and up to the limit', async () => {
    const dues = await duePartitions(work.test.database, queue, work.clock.now());
    const plans = await plansOf((spy) => claimRows(spy, queue, dues, 8, work.clock.now()));
    expect(plans.filter(({ key }) => key === 'claim')).to.have.length(21);
    for (const { Extra } of plans) expect(Extra).to.not.match(/filesort/);
    const claims = await claimRows(work.test.database, queue, dues, 8, work.clock.now());
    const shares = dues.map(({ partitionId }) => claims.filter((claim) => claim.partitionId === partitionId).length);
    expect(shares).to.deep.equal(dues.map(() => 8));
  });

  it('finds the partitions with due work by a loose scan of that index', async () => {
    const plans = await plansOf((spy) => duePartitions(spy, queue, work.clock.now()));
    const scan = plans.find(({ key }) => key === 'claim');
    expect(scan?.Extra).to.contain('Using index for group-by');
    expect(await duePartitions(work.test.database, queue, work.clock.now())).to.have.length(21);
  });

  it('skips locked rows instead of waiting for them', async () => {
    const due = { lane: 2, partitionId: partition };
    await work.test.direct.transaction(async (db) => {
      const locked = await db.rows<{ id: Buffer }>(
        `SELECT id FROM ${table} WHERE leased = 0 AND lane = 2 AND partition_id = ? ORDER BY due_at, id LIMIT 10 FOR UPDATE`,
        [idBytes(partition)],
      );
      const began = Date.now();
      const claims = await claimRows(work.test.database, queue, [due], 64, work.clock.now());
      expect(Date.now() - began).to.be.lessThan(1_000);
      expect(claims).to.have.length(64);
      const ids = new Set(claims.map(({ id }) => idBytes(id).toString('hex')));
      expect(locked.some(({ id }) => ids.has(id.toString('hex')))).to.equal(false);
    });
  });

  it('gives concurrent claims distinct rows', async () => {
    const due = { lane: 2, partitionId: partition };
    const both = await Promise.all(
      Array.from({ length: 8 }, () => claimRows(work.test.database, queue, [due], 64, work.clock.now())),
    );
    const ids = both.flat().map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).to.deep.equal([512, 512]);
  });
});
