import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { silentLog } from '#core/runtime/log.js';
import { startPoller, type PollSource } from '#core/runtime/work/poller.js';
import { eventually } from '#test/support/eventually.js';
import { table, useWork } from '#test/support/use-work.js';

describe('The shared poll of a process', () => {
  const work = useWork();

  it('checks all queues in one statement, and wakes those with due work', async () => {
    const statements: string[] = [];
    const found: string[] = [];
    const source = (name: string, where: string): PollSource => ({
      from: `FROM ${table} WHERE ${where}`,
      found: () => void found.push(name),
    });
    await work.queue(newId(), 2);
    const { database } = work.test;
    const poller = startPoller({
      database: {
        ...database,
        rows: (sql, parameters) => {
          statements.push(sql);
          return database.rows(sql, parameters);
        },
      },
      clock: work.clock,
      log: silentLog,
      sources: [source('due', 'leased = 0'), source('leased', 'leased = 1'), source('all', 'TRUE')],
      pollMs: 20,
    });
    await eventually(() => statements.length >= 5, 'some polls');
    await poller.stop();
    expect(new Set(statements).size).to.equal(1);
    // Each statement reports a source at most once, however many rows match.
    expect(found.slice(0, 4)).to.deep.equal(['due', 'all', 'due', 'all']);
  });
});
