import { expect } from 'chai';
import {
  boolean,
  componentName,
  either,
  integer,
  list,
  map,
  named,
  nullable,
  object,
  oneOf,
  optional,
  propertiesOf,
  text,
  uuid,
  withDefault,
  type JsonSchema,
} from '#core/kernel/schema/schema.js';
import { strangerHolder } from '#core/kernel/limits/holder-of.js';
import { readInput } from '#core/kernel/schema/validation/read-input.js';
import { inputProblem, replyProblem } from '#core/kernel/schema/validation/validate.js';
import { cutToSchema } from '#core/kernel/schema/validation/cut.js';
import { formats } from '#core/kernel/schema/formats.js';

const fits = (schema: JsonSchema, value: unknown): boolean => replyProblem(schema, value) === undefined;

describe('The schema builders', () => {
  it('state plain JSON Schema', () => {
    const schema = object({ id: uuid('Its id.'), tags: optional(list(text())), limit: withDefault(integer(), 5) });
    expect(JSON.parse(JSON.stringify(schema))).to.deep.equal({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid', description: 'Its id.' },
        tags: { type: 'array', items: { type: 'string' } },
        limit: { type: 'integer', default: 5 },
      },
      required: ['id'],
      additionalProperties: false,
    });
  });

  it('accept null for every type', () => {
    const Key = named('Key', object({ id: text() }));
    for (const [schema, maybe, good] of [
      [text(), nullable(text()), 'a'],
      [integer(), nullable(integer()), 1],
      [oneOf(['a', 'b']), nullable(oneOf(['a', 'b'])), 'a'],
      [list(text()), nullable(list(text())), ['a']],
      [object({ a: text() }), nullable(object({ a: text() })), { a: 'b' }],
      [Key, nullable(Key), { id: 'a' }],
      [either(text(), integer()), nullable(either(text(), integer())), 1],
    ] as const) {
      expect([fits(schema, null), fits(maybe, null), fits(maybe, good)]).to.deep.equal([false, true, true]);
      expect(fits(maybe, true)).to.equal(false);
    }
  });

  it('keep a shared schema’s name where it is optional or null, and keep the component name in every copy', () => {
    const Key = named('Key', object({ id: text() }));
    expect([componentName(Key), componentName(optional(Key)), componentName(text())]).to.deep.equal([
      'Key',
      'Key',
      undefined,
    ]);
    expect(Object.keys(propertiesOf(Key))).to.deep.equal(['id']);
    expect(propertiesOf(text())).to.deep.equal({});
  });

  it('do not confuse a property that is optional with one whose default is a value', () => {
    const schema = object({ a: withDefault(nullable(text()), null), b: withDefault(boolean(), false) });
    const value = {};
    expect(inputProblem(schema, value)).to.equal(undefined);
    expect(value).to.deep.equal({ a: null, b: false });
  });

  it('check a long list in parts: defaults are filled in, texts read, and an invalid element is named by its index', async () => {
    const schema = object({
      rows: list(object({ id: uuid(), kind: withDefault(text(), 'a') }), 'Rows.'),
      b: optional(text()),
    });
    const id = '01890A5D-AC96-774B-BCCE-B302099A8730';
    const rows = Array.from({ length: 5_000 }, () => ({ id }));
    const value = { rows };
    let turns = 0;
    const count = (): void => {
      turns += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    expect(await readInput(schema, value, strangerHolder('127.0.0.1'))).to.equal(undefined);
    clearImmediate(immediate);
    expect(turns).to.be.at.least(4);
    expect(value.rows).to.equal(rows);
    expect(rows.every((row) => row.id === id.toLowerCase() && Reflect.get(row, 'kind') === 'a')).to.equal(true);
    const mixed = { rows: rows.map((row, index) => (index === 4_321 ? { ...row, kind: 7 } : row)) };
    const problem = await readInput(schema, mixed, strangerHolder('127.0.0.1'));
    expect(problem?.message).to.contain('rows[4321].kind');
    const wrong = await readInput(schema, { rows, c: 1 }, strangerHolder('127.0.0.1'));
    expect(wrong?.message).to.contain('“c”');
  });

  it('coerce nothing', () => {
    for (const [schema, value] of [
      [integer(), '1'],
      [boolean(), 'true'],
      [boolean(), 0],
      [text(), 1],
      [list(text()), 'a'],
      [nullable(text()), ''],
    ] as const) {
      expect(fits(schema, value)).to.equal(value === '');
    }
  });
});

describe('A reply cut to its schema', () => {
  /** What is left, and what was cut. */
  function cut(schema: JsonSchema, value: unknown): [unknown, string[]] {
    const surplus: string[] = [];
    return [cutToSchema(schema, value, (path) => surplus.push(path)), surplus];
  }
  const key = object({ id: text(), name: optional(nullable(text())) });

  it('keeps the fields of its schema in the schema’s order, and tells what it left out', () => {
    const [kept, surplus] = cut(key, { secretHash: 'x', name: 'n', id: 'i' });
    expect(JSON.stringify(kept)).to.equal('{"id":"i","name":"n"}');
    expect(surplus).to.deep.equal(['result.secretHash']);
  });

  it('goes into lists, objects, what may be null, and maps', () => {
    const schema = object({
      keys: list(key),
      one: nullable(key),
      by: map(key),
      deep: object({ in: nullable(list(key)) }),
    });
    const row = { id: 'i', hash: 'x' };
    const [kept, surplus] = cut(schema, { keys: [row, row], one: row, by: { a: row }, deep: { in: [row] } });
    const left = { id: 'i' };
    expect(kept).to.deep.equal({ keys: [left, left], one: left, by: { a: left }, deep: { in: [left] } });
    expect(surplus).to.deep.equal([
      'result.keys[0].hash',
      'result.keys[1].hash',
      'result.one.hash',
      'result.by.a.hash',
      'result.deep.in[0].hash',
    ]);
    expect(cut(schema, { keys: [], one: null, by: {}, deep: { in: null } })[1]).to.deep.equal([]);
  });

  it('leaves what is absent absent, and null null', () => {
    expect(cut(key, { id: 'i', name: undefined })[0]).to.deep.equal({ id: 'i' });
    expect(cut(key, { id: 'i', name: null })[0]).to.deep.equal({ id: 'i', name: null });
  });

  it('cuts each of several shapes to its own', () => {
    const step = either(
      object({ type: oneOf(['wait']), seconds: integer() }),
      either(object({ type: oneOf(['send']), topic: text() }), list(key)),
    );
    const schema = object({ steps: list(step) });
    const wait = { type: 'wait', seconds: 1 };
    const send = { type: 'send', topic: 'a' };
    const [kept, surplus] = cut(schema, {
      steps: [{ ...wait, x: 1 }, { ...send, seconds: 2 }, [{ id: 'i', hash: 'x' }]],
    });
    expect(kept).to.deep.equal({ steps: [wait, send, [{ id: 'i' }]] });
    expect(surplus).to.deep.equal(['result.steps[0].x', 'result.steps[1].seconds', 'result.steps[2][0].hash']);
  });

  it('leaves values of the caller’s choosing whole', () => {
    const schema = object({ properties: map(either(text(), integer())) });
    const value = { properties: { a: 'b', c: 1 } };
    expect(cut(schema, value)).to.deep.equal([value, []]);
  });
});

describe('The formats', () => {
  for (const [format, good, bad] of [
    [
      'uuid',
      ['01890a5d-ac96-774b-bcce-b302099a8057', '01890A5D-AC96-774B-BCCE-B302099A8057'],
      [
        '',
        '01890a5d',
        '01890a5dac96774bbcceb302099a8057',
        '{01890a5d-ac96-774b-bcce-b302099a8057}',
        '01890a5d-ac96-774b-bcce-b302099a805g',
      ],
    ],
    [
      'date-time',
      [
        '2026-01-31T09:30:00Z',
        '2026-01-31T09:30:00.123456789+05:30',
        '2024-02-29T23:59:59-00:00',
        '2026-01-31t09:30:00z',
      ],
      [
        '2026-01-31',
        '2026-01-31T09:30:00',
        '2026-01-31 09:30:00Z',
        '2026-02-29T00:00:00Z',
        '2026-04-31T00:00:00Z',
        '2026-13-01T00:00:00Z',
        '2026-01-31T24:00:00Z',
        '2026-01-31T09:30Z',
        'now',
      ],
    ],
    ['uri', ['https://example.com/a?b#c', 'http://[::1]:80'], ['example.com', '/a', '', 'https://', 'http://a b']],
  ] as const) {
    it(`take ${format} for what it is`, () => {
      for (const each of good) expect([each, formats[format]?.(each)]).to.deep.equal([each, true]);
      for (const each of bad) expect([each, formats[format]?.(each)]).to.deep.equal([each, false]);
    });
  }
});
