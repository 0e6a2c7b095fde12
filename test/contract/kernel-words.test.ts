import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Words that belong to one product. `webhook` is not one of them: OpenAPI calls events webhooks. */
const productWords =
  /broadcast|automation|newsletter|campaign|audience|contact|segment|topic|consent|suppress|unsubscrib|sms|invoice|billing|spending|invit|banned|passkey|oauth|challenge|carrier|heardfrom/gi;

/** Where a word is right: it has another meaning there, or the rule has no other home. */
const allowed: readonly { file: string; words: readonly string[]; why: string }[] = [
  { file: 'core/kernel/path-template.ts', words: ['segment'], why: 'parts of a path' },
  { file: 'core/kernel/errors/errors.ts', words: ['segment'], why: 'a noun that error texts count' },
  { file: 'core/kernel/schema/patterns.ts', words: ['campaign'], why: 'an example of a tag' },
  {
    file: 'core/kernel/caller/permissions.ts',
    words: ['sms', 'audience'],
    why: 'the products that the role developer may write',
  },
  {
    file: 'core/kernel/settings.ts',
    words: ['broadcast', 'contact'],
    why: 'settings that several products share',
  },
  {
    file: 'core/kernel/retention-settings.ts',
    words: ['broadcast', 'consent'],
    why: 'settings that several products share',
  },
  {
    file: 'core/kernel/audit/resource.ts',
    words: ['segment'],
    why: 'the catalogue’s description of the audit record',
  },
  { file: 'core/kernel/erasure/remaining.ts', words: ['contact'], why: 'the catalogue’s description of the reply' },
  { file: 'core/surfaces/names.ts', words: ['sms', 'oauth'], why: 'abbreviations that are written in capitals' },
  { file: 'core/surfaces/console/kit/words.ts', words: ['sms', 'oauth'], why: 'abbreviations in labels' },
  { file: 'core/surfaces/console/kit/address.ts', words: ['invit'], why: 'a verb of operations that make something' },
  { file: 'core/surfaces/console/app/closed.tsx', words: ['invit'], why: 'what a person without an account can do' },
  { file: 'core/surfaces/console/app/commands.ts', words: ['passkey'], why: 'what people search for' },
  {
    file: 'core/surfaces/console/kit/status.tsx',
    words: ['invit', 'suppress', 'unsubscrib', 'banned'],
    why: 'the tone of each status word, on every screen that shows one',
  },
  {
    file: 'core/surfaces/console/kit/blocked.tsx',
    words: ['sms', 'topic', 'contact', 'suppress', 'unsubscrib', 'consent', 'carrier', 'broadcast', 'audience'],
    why: 'why a message is not sent: screens of three products show it, and none may import another’s',
  },
  {
    file: 'core/surfaces/console/kit/condition-fields.ts',
    words: ['consent', 'sms', 'contact', 'automation'],
    why: 'the conditions of segments and of automations: two products show them, and neither may import the other’s',
  },
  {
    file: 'core/surfaces/console/kit/condition.tsx',
    words: ['automation', 'consent', 'topic', 'audience', 'segment', 'unsubscrib'],
    why: 'the same',
  },
  {
    file: 'core/surfaces/docs/contents.ts',
    words: ['broadcast', 'contact', 'consent', 'newsletter', 'automation', 'billing', 'invoice', 'sms'],
    why: 'titles and summaries of the documents',
  },
  {
    file: 'core/surfaces/docs/synonyms.ts',
    words: ['sms', 'newsletter', 'broadcast', 'campaign', 'oauth', 'passkey', 'unsubscrib', 'billing'],
    why: 'what people search the documents for',
  },
  {
    file: 'core/surfaces/docs/user-words.ts',
    words: [
      ...['sms', 'broadcast', 'newsletter', 'campaign', 'billing', 'contact', 'audience', 'consent', 'invit'],
      ...['automation', 'suppress', 'oauth', 'passkey', 'unsubscrib', 'segment', 'spending', 'invoice'],
    ],
    why: 'what people search the documents for',
  },
  { file: 'core/surfaces/docs/script.ts', words: ['invit'], why: 'an example of words that the search finds alike' },
  { file: 'core/surfaces/docs/site.ts', words: ['audience', 'consent', 'billing'], why: 'what svc is' },
  { file: 'core/surfaces/docs/agents.ts', words: ['audience', 'consent', 'billing'], why: 'what svc is' },
  { file: 'core/surfaces/openapi/document.ts', words: ['audience', 'billing'], why: 'what svc is' },
  { file: 'core/surfaces/pages/error-texts.ts', words: ['contact'], why: 'a verb' },
];

/** Clients of the products: the command line and the SDK sign people in, MCP explains the products. */
const exempt = ['core/surfaces/cli/', 'core/surfaces/mcp/', 'core/surfaces/sdk/'];

const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes('.gen.'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

/** A file's code without its comments. */
function codeOf(file: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  const { ESNext } = ts.ScriptTarget;
  const printer = ts.createPrinter({ removeComments: true });
  return printer.printFile(ts.createSourceFile(file, text, ESNext));
}

const wordsIn = (file: string): string[] => [
  ...new Set([...codeOf(file).matchAll(productWords)].map(([word]) => word.toLowerCase())),
];

describe('The kernel, the runtime and the surfaces', () => {
  const files = ['core/kernel', 'core/runtime', 'core/surfaces']
    .flatMap(sourcesOf)
    .filter((file) => !exempt.some((folder) => file.startsWith(folder)));

  it('know no product', () => {
    const found = files.flatMap((file) => {
      const here = allowed.find((each) => each.file === file)?.words ?? [];
      return wordsIn(file).flatMap((word) => (here.includes(word) ? [] : [`${file}: ${word}`]));
    });
    expect(found).to.deep.equal([]);
  });

  it('use every word that is allowed', () => {
    const unused = allowed.flatMap(({ file, words }) => {
      const found = files.includes(file) ? wordsIn(file) : [];
      return words.filter((word) => !found.includes(word)).map((word) => `${file}: ${word}`);
    });
    expect(unused).to.deep.equal([]);
  });
});
