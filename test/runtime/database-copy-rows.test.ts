import { expect } from 'chai';
import { copyRows } from '#core/runtime/database/copy-rows.js';
import { rejection, useDatabase } from '#test/support/use-database.js';

const table = `CREATE TABLE thing (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, token BINARY(16) NULL, made_at DATETIME(3) NULL, body JSON NULL,
  note LONGTEXT NULL, amount BIGINT NULL, progress DOUBLE NULL, content LONGBLOB NULL,
  short_note VARCHAR(8) GENERATED ALWAYS AS (LEFT(note, 8)) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`;

const columns =
  'id, HEX(token), CAST(made_at AS CHAR), body, HEX(note), CAST(amount AS CHAR), progress, MD5(content), short_note';

describe('Copying rows to another database', () => {
  const from = useDatabase();
  const to = useDatabase();
  const all = (end: typeof from): Promise<object[]> =>
    end.direct.rows<object>(`SELECT ${columns} FROM thing ORDER BY id`);

  before(async () => {
    for (const { direct } of [from, to]) await direct.run(table);
    await from.direct.run(
      `INSERT INTO thing (id, token, made_at, body, note, amount, progress, content) VALUES
       (7, X'00FF0D0A1A5C27220000000000000000', '2026-11-23 23:59:59.999', '{"b": 1.50, "a": [9007199254740993, "é\\\\n😀"]}', ?, ?, 0.1, ?),
       (8, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (20, NULL, '1970-01-01 00:00:00.001', 'null', '', '0', -1.7976931348623157e308, '')`,
      ['It’s a \\ "quote"\0 😀', '-9223372036854775808', Buffer.alloc(3_000_000, '\0\n\'"\\\xff', 'latin1')],
    );
    await from.direct.run('DELETE FROM thing WHERE id = 20');
    await from.direct.run(
      "INSERT INTO thing (id, note) SELECT 100 + n, REPEAT('x', 2000) FROM (WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n WHERE n < 900) SELECT n FROM n) AS numbers",
    );
    await from.direct.run('DELETE FROM thing WHERE id = 1000');
    // What a migration of the target writes is replaced.
    await to.direct.run("INSERT INTO thing (id, note) VALUES (7, 'of a migration')");
  });

  it('keeps every value exactly, and counts on where the source would have', async () => {
    expect(await copyRows({ url: from.url }, { url: to.url }, ['thing'])).to.equal(901);
    expect(await all(to)).to.deep.equal(await all(from));
    await to.direct.run("INSERT INTO thing (note) VALUES ('new')");
    expect(await to.direct.rows('SELECT id FROM thing ORDER BY id DESC LIMIT 1')).to.deep.equal([{ id: 1001 }]);
  });

  it('names the table whose rows do not fit', async () => {
    await to.direct.run('DELETE FROM thing');
    await to.direct.run('ALTER TABLE thing ADD UNIQUE KEY (note(10))');
    const error = await rejection(copyRows({ url: from.url }, { url: to.url }, ['thing']));
    expect(String(error)).to.match(/^Error: Table thing: Duplicate entry/);
  });
});
