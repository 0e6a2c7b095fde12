import { expect } from 'chai';
import { deleteRows } from '#core/runtime/database/delete-in-batches.js';
import { useDatabase } from '#test/support/use-database.js';

describe('Deleting rows of several tables', () => {
  const test = useDatabase();
  const count = async (table: string): Promise<number> => {
    const [row] = await test.direct.rows<{ found: number }>(`SELECT COUNT(*) AS found FROM ${table}`);
    return row?.found ?? 0;
  };

  it('deletes all that the statements match, also more than one statement may change, and nothing else', async () => {
    for (const table of ['many', 'few'])
      await test.direct.run(
        `CREATE TABLE ${table} (id INT NOT NULL PRIMARY KEY, owner INT NOT NULL, KEY owner (owner))`,
      );
    const digits = (name: string): string =>
      `(SELECT 0 AS n ${Array.from({ length: 9 }, (_, n) => `UNION ALL SELECT ${n + 1}`).join(' ')}) ${name}`;
    await test.direct.run(
      `INSERT INTO many SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n, e.n FROM ${['a', 'b', 'c', 'd', 'e'].map(digits).join(' JOIN ')}
       WHERE e.n < 3`,
    );
    await test.direct.run('INSERT INTO few VALUES (1, 0), (2, 1), (3, 2)');
    await test.direct.transaction((db) =>
      deleteRows(
        db,
        ['many', 'few'].map((table) => ({ sql: `DELETE FROM ${table} WHERE owner IN (?)`, parameters: [[0, 1]] })),
      ),
    );
    expect([await count('many'), await count('few')]).to.deep.equal([10_000, 1]);
  });

  it('sends nothing without statements', () => test.direct.transaction((db) => deleteRows(db, [])));
});
