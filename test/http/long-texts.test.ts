import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { strangerHolder } from '#core/kernel/limits/holder-of.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { isLonger, isShorter } from '#core/kernel/schema/validation/text-length.js';
import { parseBody } from '#core/surfaces/http/json.js';

const sentAsJson = { contentType: 'application/json', holder: strangerHolder('127.0.0.1'), maxNames: 500 };
const parse = (json: string): Promise<unknown> => parseBody(Buffer.from(json), sentAsJson);

const refusal = (json: string): Promise<unknown> =>
  parse(json).then(
    () => 'accepted',
    (error: unknown) => (error instanceof SvcError ? [error.code, error.message] : error),
  );

/** The turns of the event loop while a body is parsed. */
async function turnsOf(json: string): Promise<number> {
  let turns = 0;
  let done = false;
  const count = (): void => {
    turns += 1;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  await parse(json);
  done = true;
  return turns;
}

const mebibyte = 1024 * 1024;

describe('A long text in a body', () => {
  for (const [what, unit] of [
    ['plain', 'abcdefg'],
    ['beyond ASCII', 'aé日😀'],
    ['of line breaks and quotes', '\n"'],
    ['of backslashes', '\\'],
    ['that looks like JSON', '"],[{"a":'],
    ['of control characters', '\u0001\u001f'],
  ] as const) {
    it(`is read as it was sent: ${what}`, async () => {
      const long = unit.repeat(Math.ceil(600_000 / unit.length));
      const short = unit.repeat(1_000);
      const value = { long, short, list: [{ long, deep: [[short, long]] }, short, long], last: 1 };
      expect(await parse(JSON.stringify(value))).to.deep.equal(value);
    });
  }

  it('is read as it was sent if every character is an escape, wherever its pieces end', async () => {
    const escaped = (text: string): string =>
      Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
        '',
      );
    for (const before of ['', 'a', '\\\\', '\\n', 'é', '日']) {
      const [text, written] = ['😀é'.repeat(40_000), escaped('😀é').repeat(40_000)];
      const start: unknown = JSON.parse(`"${before}"`);
      expect(await parse(`{"a":"${before}${written}"}`)).to.deep.equal({ a: `${String(start)}${text}` });
    }
  });

  it('may be alone, and in each element of a long list', async () => {
    expect(await parse(JSON.stringify('é'.repeat(mebibyte)))).to.equal('é'.repeat(mebibyte));
    const list = Array.from({ length: 100 }, (_, index) => ({ index, text: `${index}`.repeat(20_000) }));
    const value = { before: 'b'.repeat(mebibyte), list, after: ['a'.repeat(mebibyte)] };
    expect(await parse(JSON.stringify(value))).to.deep.equal(value);
  });

  it('is refused where it holds what may not be stored', async () => {
    const long = 'x'.repeat(mebibyte);
    for (const [wrong, problem] of [
      ['\\ud800', 'holds half a character: a surrogate without its pair.'],
      ['\\u0000', 'holds the character U+0000.'],
    ] as const)
      expect(await refusal(`{"a":[{"b":"${long}${wrong}${long}"}]}`)).to.deep.equal([
        'invalid_input',
        `The field “a[0].b” ${problem}`,
      ]);
  });

  it('is refused as invalid JSON where it is invalid, or not closed', async () => {
    const long = 'x'.repeat(mebibyte);
    for (const wrong of ['\n', '\\x', '\\u12', '\\u12"', '" "', '"a'])
      expect(await refusal(`{"a":"${long}${wrong}${long}"}`), JSON.stringify(wrong)).to.include('invalid_json');
    for (const open of [`{"a":"${long}`, `{"a":"${long}\\"}`, `{"a":"${long}"`])
      expect(await refusal(open)).to.include('invalid_json');
    const [, message] = [await refusal(`{"a":"${long}","b":${randomUUID()}}`)].flat();
    expect(message, 'where a piece of a body is invalid').not.to.match(/position/);
  });

  it('is parsed in many turns, between which other calls go on, as many short texts are', async () => {
    expect(await turnsOf(JSON.stringify({ a: 'x'.repeat(8 * mebibyte) }))).to.be.at.least(100);
    const some = Array.from({ length: 400 }, () => 'é'.repeat(10_000));
    expect(await turnsOf(JSON.stringify({ a: { b: some } }))).to.be.at.least(100);
  });

  it('leaves at most 4 MiB that are parsed in one turn', async () => {
    const tooMuch = [
      'invalid_input',
      'The field “body” holds more than 4194304 bytes outside of long lists and texts.',
    ];
    const short = 'x'.repeat(15_000);
    const texts = (count: number): string[] => Array.from({ length: count }, () => short);
    expect(await refusal(JSON.stringify({ a: { b: texts(270) } }))).to.equal('accepted');
    expect(await refusal(JSON.stringify({ a: { b: texts(290) } }))).to.deep.equal(tooMuch);
    expect(await refusal(JSON.stringify({ a: [{ b: texts(290) }] }))).to.deep.equal(tooMuch);
    expect(await refusal(JSON.stringify({ a: texts(290) })), 'in a long list').to.equal('accepted');
    expect(await refusal(`{"a":1${' '.repeat(5 * mebibyte)}}`)).to.deep.equal(tooMuch);
    expect(await refusal(`{"a":${'1'.repeat(5 * mebibyte)}}`)).to.deep.equal(tooMuch);
  });

  it('may not be a name', async () => {
    expect(await refusal(JSON.stringify({ a: { ['n'.repeat(20_000)]: 1 } }))).to.deep.equal([
      'invalid_input',
      'The field “body” holds a name of more than 16384 bytes.',
    ]);
  });
});

describe('The length of a text', () => {
  it('is its number of characters: a surrogate pair is one', () => {
    for (const [text, length] of [
      ['', 0],
      ['abc', 3],
      ['é日', 2],
      ['😀😀😀', 3],
      ['a😀', 2],
      ['\ud83d', 1],
    ] as const)
      for (let limit = 0; limit < 8; limit += 1) {
        expect(isLonger(text, limit), `${text} > ${limit}`).to.equal(length > limit);
        expect(isShorter(text, limit), `${text} < ${limit}`).to.equal(length < limit);
      }
  });
});
