import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { defineOperation, type Operation } from '#core/kernel/operation.js';
import { anything, boolean, integer, list, map, object, optional, text } from '#core/kernel/schema/schema.js';
import {
  cliExample,
  curlExample,
  jsonText,
  typescriptText,
  mcpExample,
  pythonExample,
  sdkExample,
  shellWord,
} from '#core/surfaces/reference/examples.js';
import { keysOf } from '#core/surfaces/reference/forms.js';
import { goExample } from '#core/surfaces/reference/go-example.js';
import { goInputsOf } from '#core/surfaces/sdk-go/generate/inputs.js';
import { usePlatform } from '#test/support/platform.js';
import { operations } from '../contract/support/operations.js';

const run = promisify(execFile);

/** Characters that are special in shells, URLs or quoted strings. */
const hostile = `it's "$HOME" \`id\` $(id) \\ !! * ~ <&> \n\t ü €`;

const noted = defineOperation({
  name: 'notes.entry.add',
  summary: 'Add a note.',
  access: 'secret',
  input: object({
    title: text(),
    replyTo: optional(text()),
    count: optional(integer()),
    urgent: optional(boolean()),
    tags: optional(list(text())),
    variables: optional(map(anything())),
  }),
  output: object({}),
  example: {
    input: { title: 'Hi', replyTo: '-x', count: 3, urgent: true, tags: ['a', 'b c'], variables: { a: 1 } },
    output: {},
  },
  handle: async () => ({}),
});

const inShell = async (line: string, env: Record<string, string> = {}): Promise<string> =>
  (await run('sh', ['-c', line], { env: { PATH: process.env['PATH'], ...env } })).stdout;

describe('the examples of the reference', () => {
  it('quotes words so that a shell passes them on unchanged', async () => {
    expect(shellWord('ada@example.com')).to.equal('ada@example.com');
    for (const word of [hostile, '', "'", "''", '-n', '~', 'a=b', '=b', '#x', '{a,b}', 'a;b'])
      expect(await inShell(`printf %s ${shellWord(word)}`), word).to.equal(word);
  });

  it('writes JSON and TypeScript that evaluate to the original value', () => {
    const value = { 'a-b': [1, null, true], text: hostile, deep: { list: [{ a: {} }, []], long: 'x'.repeat(80) } };
    expect(JSON.parse(jsonText(value))).to.deep.equal(value);
    const evaluated: unknown = runInNewContext(`JSON.stringify(${typescriptText(value)})`);
    expect(JSON.parse(String(evaluated))).to.deep.equal(value);
    expect(jsonText({ a: 1, gone: undefined })).to.equal('{ "a": 1 }');
    expect(typescriptText({ a: "it's", b: 'x"y', list: ['z'] })).to.equal(`{ a: "it's", b: 'x"y', list: ['z'] }`);
  });

  it('has one example for each way to call', () => {
    expect(curlExample(noted, 'https://svc.example.com')).to.match(
      /^curl https:\/\/svc\.example\.com\/notes\/entry\/add \\\n {2}-H "Authorization: Bearer \$SVC_API_KEY" \\\n/,
    );
    expect(sdkExample(noted)).to.match(/^await svc\.notes\.entry\.add\(\{\n {2}title: 'Hi',\n[^]*\}\);$/);
    expect(pythonExample(noted, keysOf(noted.input).fields)).to.equal(
      [
        'svc.notes.entry.add(',
        '    title="Hi",',
        '    reply_to="-x",',
        '    count=3,',
        '    urgent=True,',
        '    tags=["a", "b c"],',
        '    variables={"a": 1},',
        ')',
      ].join('\n'),
    );
    expect(goExample(noted, goInputsOf([noted]))).to.equal(
      [
        'in := svc.NotesEntryAddInput{',
        '\tTitle:     "Hi",',
        '\tReplyTo:   svc.Ptr("-x"),',
        '\tCount:     svc.Int(3),',
        '\tUrgent:    svc.Ptr(true),',
        '\tTags:      []string{"a", "b c"},',
        '\tVariables: map[string]any{"a": 1},',
        '}',
        'out, err := client.Notes.Entry.Add(ctx, in)',
      ].join('\n'),
    );
    expect(cliExample(noted)).to.equal(
      [
        'svc notes entry add',
        '--title Hi',
        '--reply-to=-x',
        '--count 3',
        '--urgent true',
        `--tags '["a","b c"]'`,
        `--variables '{"a":1}'`,
      ].join(' \\\n  '),
    );
    expect(JSON.parse(mcpExample(noted))).to.deep.equal({
      name: 'notes_entry_add',
      arguments: noted.example.input,
    });
  });

  it('use the kind of key that the operation needs', () => {
    const as = (access: Operation['access']): Operation => ({ ...noted, access });
    expect(curlExample(as('publishable'), '')).to.contain('$SVC_PUBLISHABLE_KEY');
    expect(curlExample(as('public'), '')).to.not.contain('Authorization');
    expect(sdkExample({ ...noted, example: { input: {} } })).to.equal('await svc.notes.entry.add();');
  });
});

describe('the command lines of the reference', () => {
  it('contain only plain words for every shell', async () => {
    for (const operation of operations) {
      const { stdout } = await run('sh', ['-c', `svc() { printf '%s\\0' "$@"; }\n${cliExample(operation)}`]);
      const words = stdout.split('\0').slice(0, -1);
      expect(words.slice(0, operation.name.split('.').length).join('.'), operation.name).to.equal(
        operation.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      );
      const texts = Object.values(operation.example.input ?? {}).filter((value) => typeof value === 'string');
      for (const text of texts) expect(words.some((word) => word === text || word.endsWith(`=${text}`))).to.equal(true);
    }
  });
});

describe('the curl lines of the reference', () => {
  const platform = usePlatform();

  it('work unchanged in a shell against a running server', async function () {
    this.timeout(60_000);
    const hasCurl = await inShell('command -v curl').catch(() => '');
    if (hasCurl === '') this.skip();
    const { keys } = await platform.account();
    const { address } = platform.running;
    const called = async (operation: Operation): Promise<unknown> => {
      const line = curlExample(operation, address).replace(/^curl/, 'curl --silent --show-error');
      const answer: unknown = JSON.parse(await inShell(line, { SVC_API_KEY: keys.live.secret }));
      return answer;
    };
    const found = (name: string): Operation => {
      const operation = operations.find((each) => each.name === name);
      if (!operation) throw new Error(`There is no ${name}.`);
      return operation;
    };
    expect(await called(found('account.get'))).to.have.nested.property('result.account.name', 'Acme');
    const rename = found('account.update');
    const renamed = { ...rename, example: { ...rename.example, input: { name: `O'Brien "& Co" $HOME \`id\` \\ €` } } };
    expect(await called(renamed)).to.have.nested.property('result.account.name', `O'Brien "& Co" $HOME \`id\` \\ €`);
    // The ids in examples do not exist, but every field must be known to the operation.
    const secret = operations.filter(({ access, impact }) => access === 'secret' && impact.read);
    for (const operation of secret)
      expect(await called(operation), operation.name).to.satisfy(
        (answer: { error?: { code: string } }) => answer.error === undefined || answer.error.code === 'not_found',
      );
  });
});
