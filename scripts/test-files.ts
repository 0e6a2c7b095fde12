import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Mocha's options that the next word belongs to. */
const valued = new Set(
  '--grep -g --fgrep -f --timeout -t --slow -s --retries --reporter -R --require -r --jobs -j'.split(' '),
);

/** Files that run for half a minute or longer, and folders with such files, the longest first. Most of it they wait. */
const longest = [
  'faults/webhooks.test',
  'faults/processes',
  'faults/random-kills',
  'faults/usage-reversal',
  'surfaces/new-plugin',
  'upgrade/',
  'faults/kill',
  'faults/broadcast',
  'cli/move/move',
  'console/outage',
  'runtime/database-pool',
  'kernel/start-',
  'faults/',
  'billing/payment/pages',
  'console/',
  'sdk/',
  'surfaces/docs-site/browser',
  'email/broadcast/',
  'email/submission/clients',
  'contract/longest-values',
  'contract/subsets',
  'pages/looks',
  'auth/pages/browser',
  'auth/signin/enumeration',
  'kernel/key-rate-limit',
  'kernel/long-reads',
  'email/rates/',
  'cli/',
];

/** Takes the files, folders and patterns out of the arguments of `npm test`. */
export function takePatterns(args: readonly string[]): { patterns: string[]; rest: string[] } {
  const isFile = (word: string, at: number): boolean =>
    !word.startsWith('-') &&
    !valued.has(args[at - 1] ?? '') &&
    (word.endsWith('.ts') || /[*?{]/.test(word) || existsSync(word));
  return { patterns: args.filter(isFile), rest: args.filter((word, at) => !isFile(word, at)) };
}

/**
 * All test files, in the order in which processes take them. The long files, which wait most of their time, are spread
 * among the others, which compute: side by side they would leave a core idle. The longest come first, so that no
 * process works alone at the end.
 * @param root of the repository
 */
export async function allTestFiles(root: string): Promise<string[]> {
  const paths = (await readdir(join(root, 'test'), { recursive: true })).filter((path) => path.endsWith('.test.ts'));
  const rank = (path: string): number => {
    const at = longest.findIndex((start) => path.startsWith(start));
    return at === -1 ? longest.length : at;
  };
  const ordered = paths.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).map((path) => `test/${path}`);
  const long = paths.filter((path) => rank(path) < longest.length).length;
  return spread(ordered.slice(0, long), ordered.slice(long));
}

/** Both lists as one, in their order: after each of `some`, an equal share of `others`. */
function spread(some: readonly string[], others: readonly string[]): string[] {
  const until = (count: number): number => Math.ceil((others.length * count) / Math.max(1, some.length));
  const shares = some.flatMap((path, at) => [path, ...others.slice(until(at), until(at + 1))]);
  return [...shares, ...others.slice(until(some.length))];
}

/**
 * The test files that the patterns name. Mocha would only warn of a pattern without a file, and run the others.
 * @throws Error for a pattern that matches no file
 */
export function filesMatching(patterns: readonly string[], files: readonly string[], root: string): string[] {
  const found = patterns.flatMap((pattern) => {
    const path = relative(root, join(process.cwd(), pattern)).replace(/\/+$/, '');
    const matches = patternOf(path);
    const mine = files.filter((file) => matches.test(file) || file.startsWith(`${path}/`));
    if (mine.length === 0) throw new Error(`No test file matches ${pattern}.`);
    return mine;
  });
  return [...new Set(found)];
}

/** `**` matches folders, `*` and `?` within a name, `{a,b}` one of several. */
function patternOf(path: string): RegExp {
  const tokens = path.matchAll(/\*\*\/|\*\*|[*?{},]|[^*?{},]+/g);
  const meanings: Readonly<Record<string, string>> = {
    '**/': '(?:.*/)?',
    '**': '.*',
    '*': '[^/]*',
    '?': '[^/]',
    '{': '(?:',
    '}': ')',
    ',': '|',
  };
  const source = [...tokens].map(([token]) => meanings[token] ?? token.replace(/[\\^$.|+()[\]]/g, '\\$&'));
  return new RegExp(`^${source.join('')}$`);
}
