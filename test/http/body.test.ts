import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { anything, list, map, object, optional } from '#core/kernel/schema/schema.js';
import { parseBody } from '#core/surfaces/http/json.js';
import { strangerHolder } from '#core/kernel/limits/holder-of.js';
import { usePlatform } from '#test/support/platform.js';
import { codeOf, lab, partOf } from '#test/kernel/support/lab.js';

const echo = defineOperation({
  name: 'lab.body.echo',
  summary: 'Answer the input.',
  access: 'secret',
  impact: { read: true },
  bodyLimit: 4 * 1024 * 1024,
  input: object({ value: optional(anything()), list: optional(list(anything())), map: optional(map(anything())) }),
  output: object({ value: anything() }),
  example: { input: {}, output: { value: 1 } },
  handle: async ({ value }) => ({ value: value ?? null }),
});

/** Anybody can call it. */
const open = defineOperation({ ...echo, name: 'lab.body.open', access: 'public' });

const sentAsJson = { contentType: 'application/json', holder: strangerHolder('127.0.0.1'), maxNames: 500 };
const json = { 'Content-Type': 'application/json' };
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('A request’s body', () => {
  const platform = usePlatform({ plugins: [lab(echo, open)] });

  let key = '';
  before(async () => (key = (await platform.account()).keys.live.secret));

  /** The server's answer to these very bytes. */
  async function send(
    body: string | Buffer,
    headers: Record<string, string> = json,
    path = '/lab/body/echo',
  ): Promise<[number, string]> {
    const answer = await fetch(platform.running.address + path, {
      method: 'POST',
      headers: { ...headers, Authorization: `Bearer ${key}` },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    return [answer.status, await answer.text()];
  }

  for (const [what, body, says] of [
    ['is empty', '', /it is empty/],
    ['stops in its middle', '{"value": 1', /JSON/],
    ['has a comma too many', '{"value": 1,}', /JSON/],
    ['has single quotes', "{'value': 1}", /JSON/],
    ['is not UTF-8', Buffer.from([0x7b, 0x22, 0x76, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /not UTF-8/],
    ['holds a surrogate as bytes', Buffer.from('{"value":"\xed\xa0\x80"}', 'latin1'), /not UTF-8/],
    ['is UTF-16', Buffer.from('{"value":1}', 'utf16le'), /JSON/],
    ['holds a control character', '{"value":"\u0001"}', /JSON/],
    ['is a form', 'value=1', /JSON/],
  ] as const) {
    it(`is refused as invalid_json when it ${what}`, async () => {
      const [status, text] = await send(body);
      expect([status, codeOf({ text })]).to.deep.equal([400, 'invalid_json']);
      expect(partOf(text, 'error')['message']).to.match(says);
    });
  }

  for (const [what, body] of [
    ['an array', '[]'],
    ['null', 'null'],
    ['a text', '"{}"'],
    ['a number', '1'],
  ] as const) {
    it(`is refused as invalid_input when it is ${what}`, async () => {
      const [status, text] = await send(body);
      expect([status, codeOf({ text })]).to.deep.equal([400, 'invalid_input']);
      expect(partOf(text, 'error')).to.deep.include({ details: { field: 'body' } });
      expect(partOf(text, 'error')['message']).to.equal('The input must be of type object.');
    });
  }

  it('may begin with a byte order mark', async () => {
    const [status, text] = await send('\uFEFF{"value":1}');
    expect([status, partOf(text, 'result')]).to.deep.equal([200, { value: 1 }]);
  });

  it('may name a field twice: the last one counts', async () => {
    const [, text] = await send('{"value":1,"value":2}');
    expect(partOf(text, 'result')).to.deep.equal({ value: 2 });
  });

  it('keeps every character outside the basic plane', async () => {
    const [, text] = await send(JSON.stringify({ value: 'Grüße, 世界 🎈' }));
    expect(partOf(text, 'result')).to.deep.equal({ value: 'Grüße, 世界 🎈' });
  });

  for (const [what, body, field, says] of [
    ['the first half of a character', '{"value":"a\\ud83d"}', 'value', 'half a character'],
    ['the second half of one', '{"value":"\\uDF88a"}', 'value', 'half a character'],
    ['the halves the wrong way around', '{"list":["ok",{"b":"\\udf88\\ud83d"}]}', 'list[1].b', 'half a character'],
    ['half a character in a name', '{"value":{"a\\ud83d":1}}', 'value.a\uFFFD', 'half a character'],
    ['U+0000', '{"value":"a\\u0000b"}', 'value', 'the character U+0000'],
    ['U+0000 in a name', '{"value":{"\\u0000":1}}', 'value.\uFFFD', 'the character U+0000'],
    ['half a character alone', '"\\ud800"', 'body', 'half a character'],
  ] as const) {
    it(`is refused when a text holds what would not be stored as it was sent: ${what}`, async () => {
      const [status, text] = await send(body);
      expect([status, codeOf({ text })]).to.deep.equal([400, 'invalid_input']);
      expect(partOf(text, 'error')['message']).to.contain(`The field “${field}” holds ${says}`);
      expect(partOf(text, 'error')).to.deep.include({ details: { field } });
    });
  }

  it('may write whole characters, and backslashes before a u, with escapes', async () => {
    const [, text] = await send('{"value":"\\ud83c\\udf88 \\\\ud800 \\\\u0000"}');
    expect(partOf(text, 'result')).to.deep.equal({ value: '🎈 \\ud800 \\u0000' });
  });

  it('is refused with an unsupported Content-Encoding, which is named; identity is accepted', async () => {
    const body = gzipSync('{"value":1}');
    const [status, text] = await send(body, { ...json, 'Content-Encoding': 'gzip' });
    expect([status, codeOf({ text })]).to.deep.equal([415, 'unsupported_media_type']);
    expect(partOf(text, 'error')['message']).to.equal('The body must be application/json; this was encoded with gzip.');
    expect((await send('{"value":1}', { ...json, 'Content-Encoding': 'identity' }))[0]).to.equal(200);
  });

  it('may hold no number larger than a double can hold: it would be stored as null', async () => {
    for (const [body, field] of [
      ['{"value":1e400}', 'value'],
      ['{"list":[1,{"a":-1e400}]}', 'list[1].a'],
    ] as const) {
      const [status, text] = await send(body);
      expect([status, codeOf({ text })]).to.deep.equal([400, 'invalid_input']);
      expect(partOf(text, 'error')).to.deep.include({ details: { field } });
    }
    expect((await send('{"value":1.7976931348623157e308}'))[0]).to.equal(200);
  });

  it('may hold no whole number beyond 2^53, which would be rounded, in small and in large bodies', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `{"a":${index}}`).join(',');
    for (const [body, field] of [
      ['{"value":9007199254740993}', 'value'],
      ['{"value":-9007199254740992}', 'value'],
      ['{"value":123456789012345678901234567890}', 'value'],
      ['{"value":{"order":{"id":90071992547409930.5}}}', 'value.order.id'],
      [`{"list":[${many},{"a":9007199254740993}]}`, 'list[20000].a'],
    ] as const) {
      const [status, text] = await send(body);
      expect([status, codeOf({ text })], field).to.deep.equal([400, 'invalid_input']);
      expect(partOf(text, 'error')).to.deep.include({ details: { field } });
      expect(String(partOf(text, 'error')['message'])).to.include('would be rounded');
    }
    for (const body of ['{"value":9007199254740991}', '{"value":"9007199254740993"}', '{"value":1e300}'])
      expect((await send(body))[0], body).to.equal(200);
  });

  it('may be nested 32 levels deep and no deeper', async () => {
    // The body's own object and the field's array are the first two levels.
    const [status] = await send(`{"list":${nested(31)}}`);
    expect(status).to.equal(200);
    const [, text] = await send(`{"list":${nested(32)}}`);
    expect(codeOf({ text })).to.equal('invalid_input');
    expect(partOf(text, 'error')['message']).to.contain('is nested deeper than 32 levels');
    expect(String(partOf(text, 'error')['details'] && JSON.stringify(partOf(text, 'error')['details']))).to.contain(
      'list[0]',
    );
  });

  it('is refused, and nothing overflows, when it is nested a hundred thousand levels deep', async () => {
    for (const body of [
      nested(100_000),
      `{"list":${nested(100_000)}}`,
      `${'{"value":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    ]) {
      const [status, text] = await send(body);
      expect([status, codeOf({ text })]).to.deep.equal([400, 'invalid_input']);
    }
    expect((await send('{}'))[0]).to.equal(200);
  });

  it('may hold half a million objects and lists, and is refused before it is parsed when it holds more', async () => {
    const holding = (containers: number): string =>
      `{"list":[${Array.from({ length: containers - 2 }, () => '[]').join()}]}`;
    expect((await send(holding(500_000)))[0]).to.equal(200);
    const [status, text] = await send(holding(500_001));
    expect([status, codeOf({ text })]).to.deep.equal([400, 'invalid_input']);
    expect(partOf(text, 'error')['message']).to.contain('more than 500000 objects and lists');
    const inText = JSON.stringify({ value: '[{\\",:'.repeat(200_000) });
    expect((await send(inText))[0]).to.equal(200);
  });

  it('is refused as invalid JSON when it holds JSON lines, not as too large', async () => {
    for (const lines of [2, 20_000]) {
      const [status, text] = await send(Array.from({ length: lines }, () => '{"a":1,"b":2,"c":3}').join('\n'));
      expect([status, codeOf({ text })], `${lines} lines`).to.deep.equal([400, 'invalid_json']);
    }
  });

  it('may hold 50,000 names and values beside its long lists, and is refused when it holds more', async () => {
    const names = (count: number): string =>
      Array.from({ length: count }, (_, index) => `"${index.toString(36)}x":1`).join();
    const refused = async (body: string): Promise<unknown> => {
      const [status, text] = await send(body);
      return status === 200 ? status : partOf(text, 'error')['message'];
    };
    const says = 'The field “body” holds more than 50000 names and values outside of one list.';
    const same = (count: number): string => Array.from({ length: count }, () => '{"name":1}').join();
    expect(await refused(`{"map":{"list":[${same(16_000)}]}}`)).to.equal(200);
    expect(await refused(`{"map":{"list":[${same(17_000)}]}}`)).to.equal(says);
    expect(await refused(`{"list":[${'1,'.repeat(1_000_000)}`)).to.equal(says);
    expect(await refused(`{"list":[${Array.from({ length: 20 }, () => `{${names(8_000)}}`).join()}]}`)).to.equal(200);
  });

  it('may hold 8,000 different names beside its long lists, and is refused before it is parsed when it holds more', async () => {
    const names = (count: number, from = 0): string =>
      Array.from({ length: count }, (_, index) => `"${(from + index).toString(36)}x":1`).join();
    const refused = async (body: string): Promise<unknown> => {
      const [status, text] = await send(body);
      return status === 200 ? status : partOf(text, 'error')['message'];
    };
    const says = 'The field “body” holds more than 8000 different names.';
    // With “map” and “list” themselves.
    expect(await refused(`{"map":{${names(7_999)}}}`)).to.equal(200);
    expect(await refused(`{"map":{${names(8_000)}}}`)).to.equal(says);
    expect(await refused(`{"map":{${names(8_000)}`), 'before the body is seen to be invalid').to.equal(says);
    expect(await refused(`{"list":[{${names(3_000)}}],"map":{${names(3_000)}}}`)).to.equal(200);
    expect(await refused(`{"list":[{${names(5_000)}}],"map":{${names(5_000, 5_000)}}}`)).to.equal(says);
    const manyInAll = Array.from({ length: 100 }, (_, index) => `{${names(1_000, index * 1_000)}}`).join();
    expect(await refused(`{"list":[${manyInAll}]}`), 'in the pieces of a long list').to.equal(200);
  });

  it('may hold 500 different names if anybody may send it', async () => {
    const names = (count: number): string => Array.from({ length: count }, (_, index) => `"name ${index}":1`).join();
    const codeFor = async (count: number): Promise<unknown> => {
      const [status, text] = await send(`{"map":{${names(count)}}}`, json, '/lab/body/open');
      return status === 200 ? status : [codeOf({ text }), partOf(text, 'error')['message']];
    };
    expect(await codeFor(499)).to.equal(200);
    expect(await codeFor(500)).to.deep.equal([
      'invalid_input',
      'The field “body” holds more than 500 different names.',
    ]);
  });

  it('means the same in a long list as in a short one', async () => {
    const element = (index: number): object => ({
      index,
      texts: ['],[', '\\"', `{"${'é'.repeat(50)}`, '\u0041', '\n', ''],
      deep: { list: [[], {}, [null, true, -1.5e3]] },
    });
    const value = Array.from({ length: 5_000 }, (_, index) => element(index));
    const [status, text] = await send(JSON.stringify({ list: value, value: { ignored: [','] } }));
    expect([status, partOf(text, 'result')]).to.deep.equal([200, { value: { ignored: [','] } }]);
    const [, whole] = await send(
      `{"value":[1], "value" : [\n${value.map((each) => JSON.stringify(each, null, 1)).join(' , ')}\t] }`,
    );
    expect(partOf(whole, 'result')['value']).to.deep.equal(value);
  });

  it('is refused for a mistake within a long list, as in a short one', async () => {
    const ones = '1,'.repeat(100_000);
    for (const list of [ones, `${ones},1`, `,${ones}1`, `${ones}1}`, `${ones}a`, `${ones}[`]) {
      const [status, text] = await send(`{"list":[${list}]}`);
      expect([status, codeOf({ text })], list.slice(-5)).to.deep.equal([400, 'invalid_json']);
    }
    for (const [element, problem] of [
      ['{"__proto__":1}', 'list[100000].__proto__” is not an allowed name'],
      ['"\\ud800"', 'list[100000]” holds half a character'],
    ] as const) {
      const [status, text] = await send(`{"list":[${ones}${element}]}`);
      expect([status, codeOf({ text })]).to.deep.equal([400, 'invalid_input']);
      expect(partOf(text, 'error')['message']).to.contain(problem);
    }
  });

  it('that is large is parsed in many turns, between which other calls go on', async () => {
    const body = Buffer.from(`{"list":[${Array.from({ length: 200_000 }, (_, index) => `"${index}"`).join()}]}`);
    let turns = 0;
    let done = false;
    const count = (): void => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    await parseBody(body, sentAsJson);
    done = true;
    expect(turns).to.be.at.least(20);
  });

  it('that is one long text is read in a moment', async () => {
    const body = Buffer.from(JSON.stringify('a'.repeat(12_000_000)));
    const began = process.cpuUsage();
    expect(await parseBody(body, sentAsJson)).to.have.length(12_000_000);
    expect(process.cpuUsage(began).user / 1_000).to.be.lessThan(1_500);
  });

  for (const [body, field] of [
    ['{"__proto__":{"admin":true}}', '__proto__'],
    ['{"constructor":{"prototype":{"admin":true}}}', 'constructor'],
    ['{"value":[{"prototype":1}]}', 'value[0].prototype'],
    ['{"map":{"a":{"\\u005f_proto__":1}}}', 'map.a.__proto__'],
  ] as const) {
    it(`may not name what reaches a prototype: ${field}`, async () => {
      const [status, text] = await send(body);
      expect([status, codeOf({ text })]).to.deep.equal([400, 'invalid_input']);
      expect(partOf(text, 'error')['details']).to.deep.equal({ field });
      expect(Reflect.get({}, 'admin')).to.equal(undefined);
    });
  }

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'multipart/form-data; boundary=a',
    '',
  ]) {
    it(`is refused as ${type === '' ? 'nothing' : type}`, async () => {
      const [status, text] = await send('{}', { 'Content-Type': type });
      expect([status, codeOf({ text })]).to.deep.equal([415, 'unsupported_media_type']);
      expect(partOf(text, 'error')['fix']).to.contain('Content-Type: application/json');
      const what = type === '' ? 'a request without Content-Type' : (type.split(';')[0] ?? '');
      expect(partOf(text, 'error')['message']).to.equal(`The body must be application/json; this was ${what}.`);
    });
  }

  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
    it(`is taken as ${type}`, async () => {
      expect((await send('{}', { 'Content-Type': type }))[0]).to.equal(200);
    });
  }
});
