import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { check } from 'recheck';
import { bounded } from './support/bounded-expressions.js';
import { allExpressions, type Expression } from './support/expressions.js';
import { allProperties, patternsIn } from './support/schemas.js';

/*
 * Texts come from strangers, and one expression whose time grows with the square of a text stops the process for
 * everybody. recheck proves for each expression that its time is linear, or finds a text for which it is not. That
 * takes minutes for all of them, so the expressions that passed are recorded by their digest, and only new ones are
 * checked. SVC_TEST_RECORD_EXPRESSIONS=1 records them.
 */

// Its other backends are Java and native programs.
process.env['RECHECK_BACKEND'] = 'pure';

const record = new URL('./support/linear-expressions.txt', import.meta.url);

const digestOf = ({ source, flags }: Pick<Expression, 'source' | 'flags'>): string =>
  createHash('sha256').update(`${source}/${flags}`).digest('base64url').slice(0, 16);

const isBounded = ({ place, source }: Expression): boolean =>
  bounded.some((each) => each.source === source && place.startsWith(`${each.file}:`));

describe('Regular expressions', () => {
  const expressions = [
    ...allExpressions(),
    ...allProperties.flatMap(({ place, schema }) =>
      patternsIn(schema).map((source) => ({ place, source, flags: 'u' })),
    ),
  ];

  it('of the server take a time that grows with the text, or meet texts of limited length', async function () {
    this.timeout(600_000);
    const recorded = new Set(readFileSync(record, 'utf8').split('\n'));
    const unknown = new Map(
      expressions
        .filter((each) => !isBounded(each) && !recorded.has(digestOf(each)))
        .map((each) => [digestOf(each), each]),
    );
    const found: string[] = [];
    const passed: string[] = [];
    for (const [digest, { place, source, flags }] of unknown) {
      const { status, ...result } = await check(source, flags, { timeout: 20_000 });
      if (status === 'safe') passed.push(digest);
      else
        found.push(`${place} /${source}/${flags} ${status} ${'complexity' in result ? result.complexity.summary : ''}`);
    }
    if (process.env['SVC_TEST_RECORD_EXPRESSIONS'] === '1') {
      const used = new Set(expressions.map(digestOf));
      const kept = [...recorded].filter((digest) => used.has(digest));
      writeFileSync(record, `${[...kept, ...passed].sort().join('\n')}\n`);
    }
    expect(found, 'rewrite it, or limit its text and state the limit in support/bounded-expressions.ts').to.deep.equal(
      [],
    );
  });

  it('are all found: literals, built ones, and the patterns of inputs', () => {
    expect(expressions.length).to.be.greaterThan(700);
    expect(expressions.some(({ source }) => source.startsWith('^[^\\s'))).to.equal(true);
  });

  it('with a limited text are still used, and have a limit', () => {
    for (const { file, source, limit } of bounded) {
      expect(limit.length, source).to.be.greaterThan(10);
      expect(
        expressions.some((each) => each.source === source && each.place.startsWith(`${file}:`)),
        `${file} ${source}`,
      ).to.equal(true);
    }
  });
});
