import { expect } from 'chai';
import { DatabaseUnavailable } from '#core/runtime/database/errors.js';
import type { Session, SharedRead } from '#core/runtime/database/session.js';
import { rejection, useDatabase } from '#test/support/use-database.js';
import { skipOnVitess } from '#test/support/vitess.js';

const wordById: SharedRead<number, string | null, { word: string }> = {
  parts: { id: 'SIGNED' },
  sql: (asked) => `SELECT asked.place, entry.word FROM ${asked} STRAIGHT_JOIN entry ON entry.id = asked.id`,
  parametersOf: (id) => [String(id)],
  foundIn(row) {
    if (row?.word === 'unreadable') throw new Error('The word is unreadable.');
    return row?.word ?? null;
  },
};

describe('Reads that calls share', () => {
  const test = useDatabase({ poolSize: 3 });
  before(async () => {
    await test.direct.run('CREATE TABLE entry (id INT NOT NULL PRIMARY KEY, word VARCHAR(20) NOT NULL) ENGINE=InnoDB');
    for (let id = 1; id <= 100; id += 1) await test.direct.run('INSERT INTO entry VALUES (?, ?)', [id, `word ${id}`]);
  });

  const wordsOf = (ids: readonly number[], db: Session = test.database): Promise<(string | null)[]> =>
    Promise.all(ids.map((id) => db.readShared(wordById, id)));
  /** Messages that `work` sent to the server. */
  const messagesOf = async (work: () => Promise<unknown>): Promise<number> => {
    let messages = 0;
    test.proxy.onSent(() => (messages += 1));
    await work();
    return messages;
  };

  it('answer each call what its own key names, null where that is nothing, however many ask at once', async () => {
    const ids = [...Array.from({ length: 99 }, (_, index) => index + 1), 7, 7, 1_000, 2_000];
    const words = ids.map((id) => (id <= 100 ? `word ${id}` : null));
    expect(await wordsOf(ids)).to.deep.equal(words);
    expect(await wordsOf([5])).to.deep.equal(['word 5']);
    expect(await wordsOf([])).to.deep.equal([]);
  });

  it('take one statement for all who ask together', async () => {
    await wordsOf([1, 2, 3, 4, 5, 6, 7, 8]); // prepares the statement
    expect(await messagesOf(() => wordsOf([11, 12, 13, 14, 15, 16, 17, 18]))).to.equal(1);
  });

  it('see what committed before they were asked', async () => {
    for (const word of ['changed', 'changed again']) {
      await test.direct.run('UPDATE entry SET word = ? WHERE id = 100', [word]);
      expect(await wordsOf([100, 1])).to.deep.equal([word, 'word 1']);
    }
  });

  it('belong to the transaction that asks', async () => {
    await test.database.transaction(async (db) => {
      await db.run('UPDATE entry SET word = ? WHERE id = 50', ['mine']);
      expect(await wordsOf([50, 51], db)).to.deep.equal(['mine', 'word 51']);
      expect(await wordsOf([50, 51])).to.deep.equal(['word 50', 'word 51']);
    });
  });

  it('fail for the key alone whose row cannot be read', async () => {
    await test.direct.run('UPDATE entry SET word = ? WHERE id = 60', ['unreadable']);
    const answers = await Promise.allSettled([59, 60, 61, 62].map((id) => test.database.readShared(wordById, id)));
    expect(answers.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });

  it('fail for those who asked together, and for nobody after them', async () => {
    await test.direct.run('RENAME TABLE entry TO away');
    for (const error of await Promise.all([1, 2].map((id) => rejection(test.database.readShared(wordById, id)))))
      expect(error).to.have.property('message').that.matches(/entry/);
    await test.direct.run('RENAME TABLE away TO entry');
    expect(await wordsOf([1, 2])).to.deep.equal(['word 1', 'word 2']);
  });

  it('take no connection of a call that reads nothing else', async () => {
    const readers = Array.from({ length: 10 }, () => test.database.openReader());
    const ids = readers.map((_, index) => index + 1);
    expect(
      await Promise.all(readers.map(({ session }, index) => session.readShared(wordById, index + 1))),
    ).to.deep.equal(ids.map((id) => `word ${id}`));
    readers.forEach(({ release }) => release());
  });
});

describe('A session for the reads of a call', () => {
  const test = useDatabase({ poolSize: 2 });

  it('keeps one connection from its first statement to its release', async function () {
    skipOnVitess(this, 'CONNECTION_ID of each connection');
    const connectionOf = async (session: Session): Promise<number | undefined> =>
      (await session.rows<{ id: number }>('SELECT CONNECTION_ID() AS id'))[0]?.id;
    const [first, second] = [test.database.openReader(), test.database.openReader()];
    const ids = [await connectionOf(first.session), await connectionOf(second.session)];
    expect([await connectionOf(first.session), await connectionOf(second.session)]).to.deep.equal(ids);
    expect(new Set(ids).size).to.equal(2);
    const third = test.database.openReader();
    const waiting = connectionOf(third.session);
    first.release();
    expect(await waiting).to.equal(ids[0]);
    second.release();
    third.release();
  });

  it('refuses what is asked after its release', async () => {
    const { session, release } = test.database.openReader();
    release();
    expect(await rejection(session.rows('SELECT 1')))
      .to.have.property('message')
      .that.matches(/is over/);
  });

  it('loses no connection where none was free, or it was released while it waited for one', async () => {
    const taken = [await test.database.acquire(), await test.database.acquire()];
    const refused = test.database.openReader();
    expect(await rejection(refused.session.rows('SELECT 1'))).to.be.instanceOf(DatabaseUnavailable);
    refused.release();
    const given = test.database.openReader();
    const late = given.session.rows('SELECT 1').catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    given.release();
    await Promise.all(taken.map(({ release }) => release()));
    await late;
    const again = [await test.database.acquire(), await test.database.acquire()];
    await Promise.all(again.map(({ release }) => release()));
  });
});
