import { expect } from 'chai';
import { DatabaseUnavailable } from '#core/runtime/database/errors.js';
import type { TransactionPlan } from '#core/runtime/database/transaction.js';
import { rejection, useDatabase } from '#test/support/use-database.js';

describe('A COMMIT whose answer is lost', () => {
  const test = useDatabase();
  before(() => test.direct.run('CREATE TABLE note (id INT NOT NULL PRIMARY KEY, tries INT NOT NULL) ENGINE=InnoDB'));
  beforeEach(() => test.direct.run('DELETE FROM note'));
  const rows = (): Promise<object[]> => test.direct.rows('SELECT id, tries FROM note ORDER BY id');

  /** A plan that writes one row, with counts of its runs and lookups. */
  function plan(withLanded: boolean): { plan: TransactionPlan<number>; ran: () => number; asked: () => number } {
    let ran = 0;
    let asked = 0;
    return {
      ran: () => ran,
      asked: () => asked,
      plan: {
        work: async (db) => {
          ran += 1;
          await db.rows('SELECT 1');
          return ran;
        },
        closing: (tries) => [{ sql: 'INSERT INTO note VALUES (1, ?)', parameters: [tries] }],
        ...(withLanded
          ? {
              hasCommitted: async (db) => {
                asked += 1;
                return (await db.rows('SELECT id FROM note WHERE id = 1')).length > 0;
              },
            }
          : {}),
      },
    };
  }

  /** Breaks the connection when the next COMMIT is sent or answered. */
  function breakCommit(way: 'there' | 'back', then?: () => void): void {
    let broken = false;
    test.proxy.onSent((bytes, link) => {
      if (broken || !bytes.includes('\nCOMMIT')) return;
      broken = true;
      if (way === 'there') link.cut();
      else link.loseAnswer(then);
    });
  }

  it('is looked up on another connection, and keeps its result', async () => {
    const { plan: asking, ran, asked } = plan(true);
    breakCommit('back');
    expect(await test.database.transact(asking)).to.equal(1);
    expect([ran(), asked(), await rows()]).to.deep.equal([1, 1, [{ id: 1, tries: 1 }]]);
  });

  it('runs again where the COMMIT did not arrive', async () => {
    const { plan: asking, ran, asked } = plan(true);
    breakCommit('there');
    expect(await test.database.transact(asking)).to.equal(2);
    expect([ran(), asked(), await rows()]).to.deep.equal([2, 1, [{ id: 1, tries: 2 }]]);
  });

  it('is looked up again where the first lookup found no connection', async () => {
    const { plan: asking, ran, asked } = plan(true);
    breakCommit('back', () => test.proxy.stumble(1));
    expect(await test.database.transact(asking)).to.equal(1);
    expect([ran(), asked(), await rows()]).to.deep.equal([1, 1, [{ id: 1, tries: 1 }]]);
  });

  it('does not run again while the outcome cannot be looked up', async () => {
    const { plan: asking, ran } = plan(true);
    breakCommit('back', () => test.proxy.sever());
    expect(await rejection(test.database.transact(asking))).to.be.instanceOf(DatabaseUnavailable);
    expect([ran(), await rows()]).to.deep.equal([1, [{ id: 1, tries: 1 }]]);
  });

  it('keeps its result where the COMMIT arrives late: the second run finds the rows of the first', async () => {
    let asked = 0;
    const { plan: asking, ran } = plan(true);
    breakCommit('back');
    const result = await test.database.transact({
      ...asking,
      // The lookup comes before the server has committed; the row exists a moment later.
      hasCommitted: async (db) => ++asked > 1 && (await asking.hasCommitted?.(db)) === true,
    });
    expect([result, ran(), asked]).to.deep.equal([1, 2, 2]);
    expect(await rows()).to.deep.equal([{ id: 1, tries: 1 }]);
  });

  it('runs again if the outcome cannot be looked up', async () => {
    const { plan: blind, ran } = plan(false);
    breakCommit('there');
    expect(await test.database.transact(blind)).to.equal(2);
    expect([ran(), await rows()]).to.deep.equal([2, [{ id: 1, tries: 2 }]]);
  });
});
