import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Mocha's options that the next word belongs to. */
const valued = new Set(
  '--grep -g --fgrep -f --timeout -t --slow -s --retries --reporter -R --require -r --jobs -j'.split(' '),
);

/** Files that run for a minute or longer. They start first, so that no process works alone at the end. */
const longest = [
  'faults/',
  'surfaces/new-plugin',
  'upgrade/',
  'kernel/start-',
  'console/',
  'runtime/database-pool',
  'sdk/',
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

/** All test files, those first that run longest. @param root of the repository */
export async function allTestFiles(root: string): Promise<string[]> {
  const paths = (await readdir(join(root, 'test'), { recursive: true })).filter((path) => path.endsWith('.test.ts'));
  const rank = (path: string): number => {
    const at = longest.findIndex((start) => path.startsWith(start));
    return at === -1 ? longest.length : at;
  };
  return paths.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).map((path) => `test/${path}`);
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
