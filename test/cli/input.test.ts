import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CliField, CliOperation } from '#core/surfaces/cli/command-catalogue.js';
import { putPart, splitParts } from '#core/surfaces/cli/input/dotted.js';
import { CliError } from '#core/surfaces/cli/errors.js';
import { inputOf } from '#core/surfaces/cli/input/build.js';
import { textReader } from '#core/surfaces/cli/input/from-file.js';
import { valueOf } from '#core/surfaces/cli/input/values.js';

const operation: CliOperation = {
  name: 'lab.thing.make',
  summary: 'Make a thing.',
  access: 'secret',
  input: {
    name: { type: 'text', required: true },
    variables: { type: 'map', items: { type: 'any' } },
    look: { type: 'object', fields: { cornerRadius: { type: 'integer' }, dark: { type: 'boolean' } } },
    profile: { type: 'text' },
  },
  example: { name: 'A' },
};

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

const refused: readonly [string, CliField, string[], RegExp][] = [
  ['a word for a number', { type: 'integer' }, ['ten'], /whole number, not “ten”/],
  ['half of an integer', { type: 'integer' }, ['1.5'], /whole number/],
  ['another word than the choices', { type: 'text', choices: ['owner', 'viewer'] }, ['boss'], /one of owner, viewer/],
  ['a text for an object', { type: 'map' }, ['Ada'], /must be JSON, an object, or set one by one: --x\.name=…/],
  ['a list for an object', { type: 'object' }, ['[]'], /must be JSON, an object/],
  [
    'a line of JSON lines that is cut off',
    { type: 'list', items: { type: 'any' } },
    ['{"a":1}\n\n{"a":'],
    /--x has no JSON object on line 3/,
  ],
  ['two values for one', { type: 'text' }, ['a', 'b'], /given more than once/],
  ['neither true nor false', { type: 'boolean' }, ['maybe'], /true or false/],
];

const read: readonly [string, CliField, string[], unknown][] = [
  ['a text as it stands', { type: 'text' }, ['-5 "x"'], '-5 "x"'],
  ['the text null where nothing may be null', { type: 'text' }, ['null'], 'null'],
  ['null where it clears', { type: 'text', nullable: true }, ['null'], null],
  ['the word null, quoted, where null clears', { type: 'text', nullable: true }, ['"null"'], 'null'],
  ['a number', { type: 'number' }, ['-1.5'], -1.5],
  ['repeated texts as a list', { type: 'list', items: { type: 'text' } }, ['a', 'b'], ['a', 'b']],
  ['one text as a list of one', { type: 'list', items: { type: 'text' } }, ['a'], ['a']],
  ['a single text, if that is allowed for a list', { type: 'list', orOne: true, items: { type: 'text' } }, ['a'], 'a'],
  ['a JSON list', { type: 'list', items: { type: 'text' } }, ['["a","b"]'], ['a', 'b']],
  ['objects in a list', { type: 'list', items: { type: 'object' } }, ['{"a":1}', '{"a":2}'], [{ a: 1 }, { a: 2 }]],
  [
    'a JSON object on each line as a list',
    { type: 'list', items: { type: 'any' } },
    ['{"a":1}\r\n\n{"a":"\\n"}\n'],
    [{ a: 1 }, { a: '\n' }],
  ],
  [
    'a JSON object on several lines as one',
    { type: 'list', items: { type: 'object' } },
    ['{\n"a": {\n"b": 1}}'],
    [{ a: { b: 1 } }],
  ],
  ['texts of several lines as they stand', { type: 'list', items: { type: 'text' } }, ['{}\n{}'], ['{}\n{}']],
  ['anything as JSON where it is JSON', { type: 'any' }, ['12'], 12],
  ['anything as text where it is not', { type: 'any' }, ['007'], '007'],
];

describe('The value of a flag', () => {
  for (const [what, field, texts, expected] of read)
    it(`is ${what}`, () => expect(valueOf(field, texts, 'x')).to.deep.equal(expected));

  for (const [what, field, texts, message] of refused)
    it(`is never ${what}`, () => {
      const error = thrownBy(() => valueOf(field, texts, 'x'));
      expect(error).to.be.instanceOf(CliError);
      expect(String(error)).to.match(message);
    });

  it('may look like a dotted flag after a flag that takes a value', () => {
    const words = ['email', '--text', '--a.b', '--json', '--variables.name=Ada', '--variables.n', '7', '--to', 'x'];
    const { rest, parts } = splitParts(words, (flag) => flag === 'json');
    expect(rest).to.deep.equal(['email', '--text', '--a.b', '--json', '--to', 'x']);
    expect(parts).to.deep.equal([
      { path: ['variables', 'name'], text: 'Ada' },
      { path: ['variables', 'n'], text: '7' },
    ]);
  });

  it('sets entries of objects by the schema’s names, and refuses unknown ones', () => {
    const input = {};
    for (const [path, text] of [
      ['look.corner-radius', '4'],
      ['look.dark', 'true'],
      ['variables.a.b', 'x'],
      ['input.profile', 'mine'],
    ] as const)
      putPart(input, operation.input, { path: path.split('.'), text });
    expect(input).to.deep.equal({
      look: { cornerRadius: 4, dark: true },
      variables: { a: { b: 'x' } },
      profile: 'mine',
    });
    for (const path of ['look.size', 'nothing.at', 'name.first', 'variables.__proto__.x'])
      expect(thrownBy(() => putPart({}, operation.input, { path: path.split('.'), text: '1' }))).to.be.instanceOf(
        CliError,
      );
  });

  it('is overridden by dotted flags; missing fields are named', async () => {
    const parts = [{ path: ['variables', 'name'], text: 'Ada' }];
    const texts = new Map([
      ['name', ['Thing']],
      ['variables', ['{"name": "Bob", "n": 1}']],
    ]);
    expect(await inputOf(operation, { file: undefined, texts, parts })).to.deep.equal({
      name: 'Thing',
      variables: { name: 'Ada', n: 1 },
    });
    const error: unknown = await inputOf(operation, { file: undefined, texts: new Map(), parts }).catch(
      (thrown: unknown) => thrown,
    );
    expect(String(error)).to.contain('--name is missing');
  });

  describe('from files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-input-'));
    after(() => rmSync(folder, { recursive: true, force: true }));
    const fileOf = (name: string, bytes: string | Buffer): string => {
      writeFileSync(join(folder, name), bytes);
      return `@${join(folder, name)}`;
    };
    const inputFrom = async (texts: [string, string[]][], part?: string): Promise<Record<string, unknown>> =>
      inputOf(operation, {
        file: undefined,
        texts: new Map(texts),
        parts: part === undefined ? [] : [{ path: ['variables', 'name'], text: part }],
      });

    it('is the content of the file after @, for text, JSON and dotted flags', async () => {
      const csv = '\uFEFFEmail;Name\r\nann@example.com;"Ann"\r\n';
      expect(
        await inputFrom(
          [
            ['name', [fileOf('people.csv', csv)]],
            ['look', [fileOf('look.json', '{\n  "dark": true\n}\n')]],
          ],
          fileOf('name.txt', 'Ada\n'),
        ),
      ).to.deep.equal({ name: csv, look: { dark: true }, variables: { name: 'Ada' } });
    });

    it('is asked for where a long text is the name of a file, and a text that is not stays as it is', async () => {
      const path = fileOf('yes.csv', 'Email\nann@example.com\n').slice(1);
      const plain = fileOf('README', 'Hi\n').slice(1);
      const long = (flag: string, text: string): Promise<unknown> =>
        textReader(false)(text, flag).catch((error: unknown) => (error instanceof CliError ? error : String(error)));
      for (const flag of ['csv', 'html', 'text', 'body', 'locales.en.html']) {
        const error = await long(flag, path);
        if (!(error instanceof CliError)) throw new Error(`--${flag} was not refused.`);
        expect(error.message).to.equal(
          `--${flag} ${path} is the name of a file, not its content. Did you mean @${path}?`,
        );
        expect(error.fix).to.contain(`Write --${flag} @${path}.`).and.contain(`--${flag} @-`);
      }
      for (const [flag, text] of [
        ['text', join(folder, 'no-such-file.csv')],
        ['text', plain],
        ['text', folder],
        ['text', `See\n${path}`],
        ['subject', path],
        ['variables.text', path],
      ] as const)
        expect(await long(flag, text), `${flag} ${text}`).to.equal(text);
    });

    it('is the text itself after two @', async () => {
      expect(await inputFrom([['name', ['@@ada']]], '@@')).to.deep.equal({ name: '@ada', variables: { name: '@' } });
    });

    for (const [what, text, message, fix] of [
      [
        'a file that is not there',
        '@no-such-file.csv',
        '--name: the file no-such-file.csv cannot be read (ENOENT).',
        '@@no-such',
      ],
      ['a folder', `@${folder}`, 'cannot be read (EISDIR).', 'Check the path'],
      ['no file', '@', 'the file “” cannot be read', 'write @@'],
      [
        'a file of another encoding',
        fileOf('latin1.csv', Buffer.from('Zürich', 'latin1')),
        'is not UTF-8.',
        'Save it as UTF-8',
      ],
    ] as const)
      it(`is refused with a fix for ${what}`, async () => {
        const error: unknown = await inputFrom([['name', [text]]]).catch((thrown: unknown) => thrown);
        if (!(error instanceof CliError)) throw error;
        expect(error.message).to.contain(message);
        expect(error.fix).to.contain(fix);
      });
  });
});
