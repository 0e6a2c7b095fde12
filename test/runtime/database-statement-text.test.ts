import { expect } from 'chai';
import { format } from 'mysql2';
import { statementText, textWithValues } from '#core/runtime/database/statement-text.js';
import { countIn, isEmpty, joined, valueCount } from '#core/runtime/database/statement.js';

describe('The text of a statement', () => {
  const values = [
    'plain',
    `it's "quoted" \\ and\nbroken \0 \x1a`,
    '?',
    0,
    -1.5,
    12n,
    true,
    null,
    Buffer.from([0, 255, 39]),
    new Date('2026-11-26T10:20:30.456Z'),
    ['a', "b'", 3],
    [
      ['x', 1],
      ['y', null],
    ],
    { toSqlString: () => "x'00', '?'" },
  ];
  const places = values.map(() => '?').join(', ');

  it('has its values as the driver writes them', () => {
    for (const sql of [
      `SELECT ${places}`,
      `SELECT '?', 'it\\'s ?', \`?\`, ${places} -- really?\n/* ? */ WHERE name = 'O''Hara?'`,
      `SELECT /*+ MAX_EXECUTION_TIME(5000) */ ${places}`,
    ]) {
      const expected = format(sql, [...values], true, 'Z');
      for (let time = 0; time < 2; time += 1) expect(textWithValues(sql, values)).to.equal(expected);
      // Too long to be remembered.
      const long = `${sql} ${'AND 1 = 1 '.repeat(300)}`;
      expect(textWithValues(long, values)).to.equal(format(long, [...values], true, 'Z'));
    }
  });

  it('keeps placeholders without values, and a text without values', () => {
    expect(textWithValues('SELECT ?, ?', ['a'])).to.equal("SELECT 'a', ?");
    expect(textWithValues('SELECT ?', [])).to.equal('SELECT ?');
  });

  it('joins statements, also joined ones, in one text', () => {
    const one = { sql: 'SELECT ?', parameters: [1] };
    const two = { sql: 'SELECT 2;\nSELECT ?, ?', parameters: ['a', 'b'] };
    const all = joined([one, joined([two, joined([])]), one]);
    expect(statementText(all)).to.equal("SELECT 1;\nSELECT 2;\nSELECT 'a', 'b';\nSELECT 1");
    expect(all.sql).to.equal('SELECT ?;\nSELECT 2;\nSELECT ?, ?;\nSELECT ?');
    expect(all.parameters).to.deep.equal([1, 'a', 'b', 1]);
    expect([countIn(all), valueCount(all), isEmpty(all), isEmpty(joined([]))]).to.deep.equal([4, 4, false, true]);
  });
});
