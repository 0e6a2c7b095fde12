import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import { insertInto } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { silentLog } from '#core/runtime/log.js';
import { completeWork, workRow, type Claim, type Lane, type WorkQueue } from '#core/runtime/work/queue.js';
import { queueTable } from '#core/runtime/work/tables.js';
import { startPoller } from '#core/runtime/work/poller.js';
import { startWorker, type Worker } from '#core/runtime/work/worker.js';
import { testClock, type TestClock } from './clock.js';
import { useDatabase, type TestDatabase } from './use-database.js';

export const table = 'lab_work';

/** For queues whose partitions take turns by themselves. */
export const byPartition = (): Promise<ReadonlyMap<string, readonly string[]>> => Promise.resolve(new Map());

interface WorkRow {
  id: string;
  partitionId: string;
  leased: number;
  attempts: number;
  leaseToken: Buffer | null;
  dueIn: number;
}

interface TestWork {
  readonly test: TestDatabase;
  readonly clock: TestClock;
  /** The performed claims, in order. */
  readonly performed: Claim[];
  /** Queues `count` rows of a partition. @returns their ids */
  queue(partitionId: string, count: number, options?: { lane?: Lane; dueInMs?: number }): Promise<string[]>;
  /** Starts a worker, which stops with the test. It finishes its claims by default. */
  start(queue?: Partial<WorkQueue>, pollMs?: number): Worker;
  /** Finishes a claim like a successful worker. */
  finish(claim: Claim): Promise<boolean>;
  rows(): Promise<WorkRow[]>;
  left(where?: string): Promise<number>;
}

/** A work table for one test file, and workers for it. */
export function useWork(): TestWork {
  const test = useDatabase({ poolSize: 10 });
  const clock = testClock();
  const performed: Claim[] = [];
  let workers: Worker[] = [];
  before(() => test.direct.run(queueTable(table)));
  beforeEach(async () => {
    performed.length = 0;
    await deleteInBatches(test.direct, `DELETE FROM ${table}`, []);
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
  });
  const finish = (claim: Claim): Promise<boolean> => completeWork(test.database, { table }, claim);

  return {
    test,
    clock,
    performed,
    finish,
    async queue(partitionId, count, { lane = 'bulk', dueInMs = 0 } = {}) {
      const dueAt = new Date(clock.now().getTime() + dueInMs);
      const rows = Array.from({ length: count }, () => workRow({ id: newId(), partitionId, lane, dueAt }));
      for (let from = 0; from < count; from += 1_000) {
        await test.direct.run(insertInto(table, rows.slice(from, from + 1_000)));
      }
      return rows.map(({ id }) => (Buffer.isBuffer(id) ? id.toString('hex') : ''));
    },
    start(queue = {}, pollMs = 250) {
      const perform = async (claim: Claim, freeSlot: () => void, isStopping: () => boolean): Promise<void> => {
        performed.push(claim);
        await (queue.perform ? queue.perform(claim, freeSlot, isStopping) : finish(claim));
      };
      const usual = { name: 'lab', table, concurrency: 8, excludedPartitions: [], turnsOf: byPartition };
      const shared = { database: test.database, clock, log: silentLog };
      const worker = startWorker({ ...shared, queue: { ...usual, ...queue, perform } });
      const poller = startPoller({ ...shared, sources: worker.sources, pollMs });
      let stopped: Promise<unknown> | undefined;
      const once = {
        ...worker,
        async stop() {
          await (stopped ??= Promise.all([poller.stop(), worker.stop()]));
        },
      };
      workers.push(once);
      return once;
    },
    async rows() {
      const found = await test.direct.rows<Omit<WorkRow, 'dueIn'> & { due: Date }>(
        `SELECT LOWER(HEX(id)) AS id, LOWER(HEX(partition_id)) AS partitionId, leased, attempts, lease_token AS leaseToken, due_at AS due FROM ${table} ORDER BY id`,
      );
      return found.map(({ due, ...row }) => ({ ...row, dueIn: due.getTime() - clock.now().getTime() }));
    },
    async left(where = '1 = 1') {
      const [row] = await test.direct.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`);
      return row?.n ?? 0;
    },
  };
}

/** A row's id in hexadecimal, as `rows` shows it. */
export const hex = (id: string): string => idBytes(id).toString('hex');
