import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import {
  boolean,
  dateTime,
  either,
  email,
  integer,
  list,
  map,
  notBlank,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
} from '#core/kernel/schema/schema.js';
import { usePlatform } from '#test/support/platform.js';
import { lab, partOf } from '#test/kernel/support/lab.js';

const attachment = object({ filename: text('', { minLength: 1 }), size: optional(integer('', { minimum: 0 })) });
const input = object({
  name: text('', { minLength: 2, maxLength: 5 }),
  kind: withDefault(oneOf(['a', 'b']), 'a'),
  limit: withDefault(integer('', { minimum: 1, maximum: 100 }), 50),
  attachments: optional(list(attachment, '', { minItems: 1, maxItems: 3 })),
  tags: optional(list(text('', { pattern: '^[a-z]+$' }), '', { uniqueItems: true })),
  content: optional(map(object({ subject: text() }), '', { propertyNames: { pattern: '^[a-z]{2}$' } })),
  nested: optional(nullable(object({ deep: object({ flag: boolean() }) }))),
  id: optional(uuid()),
  to: optional(email()),
  at: optional(dateTime()),
  value: optional(either(number(), either(text('', { maxLength: 3 }), nullable(boolean())))),
  title: optional(text('', { minLength: 1, pattern: notBlank })),
});
const check = defineOperation({
  name: 'lab.input.check',
  summary: 'Answer what defaults made of the input.',
  access: 'public',
  impact: { read: true },
  input,
  output: object({ kind: text(), limit: integer() }),
  example: { input: { name: 'abc' }, output: { kind: 'a', limit: 50 } },
  handle: async ({ kind, limit }) => ({ kind, limit }),
});
const eitherField = defineOperation({
  name: 'lab.input.either',
  summary: 'Take one of two fields.',
  access: 'public',
  impact: { read: true },
  input: object({ email: optional(text()), phone: optional(text()) }, { exactlyOneOf: ['email', 'phone'] }),
  output: object({ done: boolean() }),
  example: { input: { email: 'a' }, output: { done: true } },
  handle: async () => ({ done: true }),
});

const change = defineOperation({
  name: 'lab.input.change',
  summary: 'Take an id and what to change.',
  access: 'public',
  impact: { read: true },
  input: object({ id: text(), name: optional(text()) }, { minProperties: 2 }),
  output: object({ done: boolean() }),
  example: { input: { id: 'a', name: 'b' }, output: { done: true } },
  handle: async () => ({ done: true }),
});

describe('The refusal of an input', () => {
  const platform = usePlatform({ plugins: [lab(check, eitherField, change)] });

  const fitting = { name: 'abc' };
  for (const [what, sent, field, says] of [
    ['a missing field', {}, 'name', 'is required'],
    ['an unknown field', { ...fitting, nmae: 1 }, 'nmae', 'is not known here.'],
    ['a number for a text', { name: 123 }, 'name', 'must be of type string'],
    ['null for a text', { name: null }, 'name', 'must be of type string'],
    ['a text for a number', { ...fitting, limit: '50' }, 'limit', 'must be of type integer'],
    ['a fraction', { ...fitting, limit: 1.5 }, 'limit', 'must be of type integer'],
    ['a number too big', { ...fitting, limit: 101 }, 'limit', 'must be at most 100'],
    ['a text too short', { name: 'a' }, 'name', 'must be at least 2 characters long'],
    ['a text too long', { name: 'abcdef' }, 'name', 'must be at most 5 characters long'],
    ['a word of none of the choices', { ...fitting, kind: 'c' }, 'kind', 'must be one of a, b'],
    ['a list for an object', { ...fitting, nested: [] }, 'nested', 'must be of type object'],
    ['an empty list', { ...fitting, attachments: [] }, 'attachments', 'must hold at least 1 item'],
    [
      'a missing field in a list',
      { ...fitting, attachments: [{ filename: 'a' }, {}] },
      'attachments[1].filename',
      'is required',
    ],
    [
      'a bad field in a list',
      { ...fitting, attachments: [{ filename: 'a', size: -1 }] },
      'attachments[0].size',
      'must be at least 0',
    ],
    [
      'an unknown field in a list',
      { ...fitting, attachments: [{ filename: 'a', path: '/etc/passwd' }] },
      'attachments[0].path',
      'is not known here',
    ],
    ['a bad item', { ...fitting, tags: ['ok', 'No'] }, 'tags[1]', 'must match ^[a-z]+$'],
    ['a repeated item', { ...fitting, tags: ['a', 'a'] }, 'tags', 'holds the same item twice, at [0] and [1]'],
    [
      'a bad name in a map',
      { ...fitting, content: { english: { subject: '' } } },
      'content.english',
      'is not an allowed name',
    ],
    [
      'a bad field in a map',
      { ...fitting, content: { en: { subject: 1 } } },
      'content.en.subject',
      'must be of type string',
    ],
    [
      'a bad field two levels down',
      { ...fitting, nested: { deep: { flag: 'yes' } } },
      'nested.deep.flag',
      'must be of type boolean',
    ],
    ['none of several types', { ...fitting, value: [] }, 'value', 'must be of type number, string, boolean or null.'],
    [
      'the right one of several types, too long',
      { ...fitting, value: 'abcd' },
      'value',
      'must be at most 3 characters',
    ],
    ['white space alone', { ...fitting, title: ' \u00a0\t' }, 'title', 'must not be blank'],
    ['nothing at all', { ...fitting, title: '' }, 'title', 'must not be empty'],
    ['no uuid', { ...fitting, id: '123' }, 'id', 'must be a UUID'],
    ['no address', { ...fitting, to: 'a@x, b@y' }, 'to', 'must be one bare address'],
    ['a date without a zone', { ...fitting, at: '2026-01-31T09:30:00' }, 'at', 'must be a date and time with zone'],
    ['a day that is none', { ...fitting, at: '2026-02-30T09:30:00Z' }, 'at', 'must be a date and time with zone'],
  ] as const) {
    it(`names the field at fault: ${what}`, async () => {
      const refused = await platform.api.refusal('lab.input.check', sent);
      expect(refused).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details['field']).to.equal(field);
      expect(refused.message).to.contain(`The field “${field}” ${says}`);
      expect(refused.fix).to.contain(`“${field}”`);
    });
  }

  it('suggests the nearest name for an unknown field, unless that field was sent too', async () => {
    const refused = await platform.api.refusal('lab.input.check', { nmae: 'abc' });
    expect(refused.message).to.contain('The field “nmae” is not known here: did you mean “name”?');
    expect(refused.fix).to.contain('Add “name”.').and.contain('Write “name” instead of “nmae”.');
    const other = await platform.api.refusal('lab.input.check', { ...fitting, limt: 5, limit: 5 });
    expect(other.message).to.equal('The field “limt” is not known here.');
    expect(other.fix).to.match(/^Leave “limt” out; the fields here are “name”, “kind”, “limit”, .*“title”\./);
    const deep = await platform.api.refusal('lab.input.check', { ...fitting, attachments: [{ filenam: 'a' }] });
    expect(deep.message).to.contain('The field “attachments[0].filenam” is not known here: did you mean “filename”?');
  });

  it('says of an operation without fields that there are none', async () => {
    const { svc } = await platform.account();
    const refused = await svc.refusal('account.get', { id: 'x' });
    expect(refused.fix).to.match(/^Leave “id” out; there are no fields here\./);
  });

  it('names every invalid field at once', async () => {
    const refused = await platform.api.refusal('lab.input.check', {
      name: 'a',
      limit: 'x',
      tags: ['ok', 'No'],
      nested: { deep: { flag: 1, x: 1 }, y: 1 },
      value: 'abcd',
      to: 'nobody',
    });
    expect(refused.details).to.deep.equal({
      field: 'name',
      problems: [
        { field: 'name', problem: 'must be at least 2 characters long' },
        { field: 'limit', problem: 'must be of type integer' },
        { field: 'tags[1]', problem: 'must match ^[a-z]+$' },
        { field: 'nested.y', problem: 'is not known here' },
        { field: 'nested.deep.x', problem: 'is not known here' },
        { field: 'nested.deep.flag', problem: 'must be of type boolean' },
        { field: 'to', problem: 'must be one email address such as ada@example.com' },
        { field: 'value', problem: 'must be at most 3 characters long' },
      ],
    });
    expect(refused.message).to.contain('The field “name” must').and.contain(' The field “nested.y” is not known here.');
    expect(refused.fix).to.contain('Correct “limit”: it must be of type integer.').and.contain('details.problems');
  });

  it('names the first invalid field alone where the input is large, and at most twenty fields', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`unknown${index}`, 1]));
    const large = await platform.api.refusal('lab.input.check', {
      ...fitting,
      ...wrong,
      unknown0: Array.from({ length: 3_000 }, () => 1),
    });
    expect(large.details).to.deep.equal({ field: 'unknown0' });
    const some = await platform.api.refusal('lab.input.check', { ...fitting, ...wrong });
    expect(some.details['problems']).to.have.length(20);
  });

  it('says that there is nothing to change when only the id is given', async () => {
    const refused = await platform.api.refusal('lab.input.change', { id: 'a' });
    expect(refused.message).to.equal('The input names nothing to change: send at least one field beside “id”.');
    expect(refused.fix).to.match(/^Send at least one field beside “id”\./);
  });

  it('names the alternatives of which exactly one is required, when none or both are given', async () => {
    const none = await platform.api.refusal('lab.input.either', {});
    expect([none.code, none.details]).to.deep.equal(['invalid_input', { field: 'email' }]);
    expect(none.message).to.equal('The field “email” is missing: send exactly one of “email”, “phone”.');
    const both = await platform.api.refusal('lab.input.either', { email: 'a', phone: 'b' });
    expect([both.code, both.details]).to.deep.equal(['invalid_input', { field: 'phone' }]);
    expect(both.message).to.equal('The field “phone” is one too many: send exactly one of “email”, “phone”.');
    expect((await platform.api.raw('/lab/input/either', '{"phone":"b"}')).status).to.equal(200);
  });

  it('does not occur for fields with a default', async () => {
    const answer = await platform.api.raw('/lab/input/check', JSON.stringify({ name: 'abc', limit: 7 }));
    expect(partOf(answer.text, 'result')).to.deep.equal({ kind: 'a', limit: 7 });
  });

  it('never repeats the value that was sent', async () => {
    const canary = 'canary-7f3a';
    for (const sent of [
      { name: canary },
      { ...fitting, kind: canary },
      { ...fitting, tags: [`${canary}!`] },
      { ...fitting, id: canary },
    ]) {
      const answer = await platform.api.raw('/lab/input/check', JSON.stringify(sent));
      expect(answer.status).to.equal(400);
      expect(answer.text).to.not.contain(canary);
    }
    expect(platform.logLines.join('')).to.not.contain(canary);
  });
});
