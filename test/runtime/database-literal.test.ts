import { expect } from 'chai';
import {
  literalParameter,
  bytesLiteral,
  idLiteral,
  insertLiterals,
  numberLiteral,
  textLiteral,
  timeLiteral,
} from '#core/runtime/database/literal.js';
import { idText, newId } from '#core/runtime/id.js';
import { rejection, useDatabase } from '#test/support/use-database.js';

interface Row {
  id: Buffer | null;
  words: string | null;
  exact: Buffer | null;
  amount: number | null;
  at: Date | null;
}

const nasty = [
  '',
  "O'Brien",
  '\\',
  "\\' OR 1=1 -- ",
  '"quoted" `and` backquoted',
  '?',
  '??; ? :name',
  ';\nDROP TABLE kept',
  '/* never closed',
  '# a comment',
  'a\0b\u001a\r\n\t\b',
  '🦆 ü é \u202e',
  JSON.stringify({ text: 'a "b" \n \\ \' ?' }),
];

describe('Values that are written into a statement’s text', () => {
  const test = useDatabase();
  const columns = ['id', 'words', 'exact', 'amount', 'at'];
  before(() =>
    test.direct.run(
      'CREATE TABLE kept (number INT NOT NULL AUTO_INCREMENT PRIMARY KEY, id BINARY(16) NULL, words MEDIUMTEXT NULL, exact VARBINARY(500) NULL, amount DOUBLE NULL, at DATETIME(3) NULL) DEFAULT CHARSET=utf8mb4',
    ),
  );
  beforeEach(() => test.direct.run('DELETE FROM kept'));
  const kept = (): Promise<Row[]> =>
    test.direct.rows<Row>('SELECT id, words, exact, amount, at FROM kept ORDER BY number');

  it('are read back as they were, whatever they hold', async () => {
    const id = newId();
    const at = new Date('2026-03-29T01:30:00.123Z');
    const rows = nasty.map((text) => [
      idLiteral(id),
      textLiteral(text),
      textLiteral(text),
      numberLiteral(-1.5e-7),
      timeLiteral(at),
    ]);
    await test.database.run(insertLiterals('kept', columns, rows));
    const found = await kept();
    expect(found.map(({ words }) => words)).to.deep.equal(nasty);
    expect(found.map(({ exact }) => exact?.toString())).to.deep.equal(nasty);
    for (const row of found) expect([row.id && idText(row.id), row.amount, row.at]).to.deep.equal([id, -1.5e-7, at]);
  });

  it('may be nothing, and bytes of every kind', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await test.database.run(
      insertLiterals('kept', columns, [
        [idLiteral(null), textLiteral(null), bytesLiteral(all), numberLiteral(null), timeLiteral(null)],
      ]),
    );
    expect(await kept()).to.deep.equal([{ id: null, words: null, exact: all, amount: null, at: null }]);
  });

  it('can be combined with other placeholders, and in joined statements', async () => {
    const { sql, parameters } = insertLiterals('kept', ['words'], [[textLiteral('? and ?')]]);
    await test.database.run(
      `INSERT INTO kept (words) VALUES (?);\n${sql};\nUPDATE kept SET amount = ? WHERE words = ?`,
      ['first', ...parameters, 2, literalParameter(textLiteral('? and ?'))],
    );
    expect((await kept()).map(({ words, amount }) => [words, amount])).to.deep.equal([
      ['first', null],
      ['? and ?', 2],
    ]);
  });

  it('do not show in the error of a statement that was refused', async () => {
    const error = await rejection(test.database.run(insertLiterals('nowhere', ['words'], [[textLiteral('a secret')]])));
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error)))
      .to.include('nowhere')
      .and.not.include('a secret');
  });

  it('are refused if they are neither an id nor a number', () => {
    for (const id of ['', 'x', `${newId()}'`, newId().replaceAll('-', '')]) expect(() => idLiteral(id)).to.throw();
    for (const value of [NaN, Infinity]) expect(() => numberLiteral(value)).to.throw();
  });
});
