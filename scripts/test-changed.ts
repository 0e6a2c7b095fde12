import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where a changed file that no source imports has its tests. The first line that matches counts. */
const places: readonly (readonly [RegExp, RegExp])[] = [
  [/^(docs\/|examples\/|[A-Z]+(\.md)?$)/, /^test\/(docs|examples)\//],
  [/^(core\/surfaces\/console|plugins\/[^/]+\/console)\//, /console/],
  [/^core\/surfaces\/(sdk|sdk-python|sdk-go)\//, /^test\/sdk\//],
  [/^core\/surfaces\/docs\//, /^test\/(docs|surfaces)\//],
  [/\/translations\.txt$/, /^test\/contract\/translations\.test\.ts$/],
];
/** Programs that tests start in a separate process are imported by no test. */
const started: readonly (readonly [string, string])[] = [
  ['test/support/compiled.ts', 'scripts/start.ts'],
  ['test/support/compiled.ts', 'scripts/svc.ts'],
];
const imported = /(?:from|import|import\()\s*'([#.][^']+)'|new URL\('(\.[^']+\.js)', import\.meta\.url\)/g;
const productIndex = /^plugins\/[^/]+\/index\.ts$/;

interface Sources {
  /** All test files. */
  readonly tests: readonly string[];
  readonly text: (path: string) => string;
  /** The files that import a file. */
  readonly importersOf: (path: string) => readonly string[];
}

/**
 * The tests that a change can break: those that import a changed file, directly or through others, or call an operation
 * that does. A change of a product also runs the contract tests, and the product's own if what its operations do not
 * import has changed.
 * @param changed paths from the root of the repository
 * @returns undefined if every test can break: of a migration, or of a file that no rule knows
 */
export function testsOf(changed: readonly string[], sources: Sources): string[] | undefined {
  const found = new Set<string>();
  const add = (isMeant: (test: string) => boolean): void =>
    sources.tests.filter(isMeant).forEach((test) => found.add(test));
  const ofSources = changed.filter((path) => {
    const place = places.find(([at]) => at.test(path));
    if (place) add((test) => place[1].test(test));
    return !place || path.endsWith('.ts');
  });
  const unknown = ofSources.filter((path) => !/^(test|core|plugins|config|scripts)\/.*\.ts$/.test(path));
  const ofTests = unknown.filter((path) => path.startsWith('test/'));
  if (unknown.length > ofTests.length) return undefined;
  for (const path of ofTests) add((test) => test.startsWith(`${dirname(path)}/`));
  const affected = dependentsOf(ofSources, sources.importersOf);
  add((test) => affected.has(test));
  const names = [...affected].flatMap((path) => operationAt(path) ?? []);
  add((test) => names.some((name) => sources.text(test).includes(`'${name}'`)));
  for (const path of affected) {
    const [, product] = /^plugins\/([^/]+)\//.exec(path) ?? [];
    if (product === undefined) continue;
    add((test) => test.startsWith('test/contract/'));
    const isWired = sources.importersOf(path).some((importer) => productIndex.test(importer));
    if (productIndex.test(path) ? changed.includes(path) : isWired && operationAt(path) === undefined)
      add((test) => test.startsWith(`test/${product}/`));
  }
  return [...found].sort();
}

/** `audience.contact.get` is in plugins/audience/operations/contact/get.ts. */
function operationAt(path: string): string | undefined {
  const [, product, rest] = /^plugins\/([^/]+)\/operations\/(.+)\.ts$/.exec(path) ?? [];
  if (product === undefined || rest === undefined) return undefined;
  return `${product}.${rest.replaceAll('/', '.').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}

/** A product's index imports the whole product, so what imports the index is not followed. */
function dependentsOf(paths: readonly string[], importersOf: Sources['importersOf']): Set<string> {
  const found = new Set(paths);
  for (const path of found) if (!productIndex.test(path)) for (const importer of importersOf(path)) found.add(importer);
  return found;
}

/** The sources of this repository, with their imports. */
export function readSources(root: string): Sources {
  const paths = git(root, ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts']).filter((path) =>
    existsSync(join(root, path)),
  );
  const texts = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const importers = new Map<string, string[]>();
  const note = (importer: string, path: string): void =>
    void importers.set(path, [...(importers.get(path) ?? []), importer]);
  for (const [path, text] of texts)
    for (const [, name, thread] of text.matchAll(imported)) {
      const at = (name ?? thread ?? '').replace(/\.js$/, '.ts');
      note(path, at.startsWith('#') ? at.slice(1) : join(dirname(path), at));
    }
  for (const [importer, path] of started) note(importer, path);
  return {
    tests: paths.filter((path) => path.endsWith('.test.ts')),
    text: (path) => texts.get(path) ?? '',
    importersOf: (path) => importers.get(path) ?? [],
  };
}

/** What differs from the main branch: committed here, not committed yet, or new. */
export function changedFiles(root: string): string[] {
  const base = ['origin/main', 'main'].flatMap((branch) => {
    try {
      return git(root, ['merge-base', 'HEAD', branch]);
    } catch {
      return [];
    }
  })[0];
  const differing = git(root, ['diff', '--name-only', base ?? 'HEAD']);
  return [...new Set([...differing, ...git(root, ['ls-files', '--others', '--exclude-standard'])])].sort();
}

function git(root: string, words: readonly string[]): string[] {
  const printed = execFileSync('git', words, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1e8,
  });
  return printed.split('\n').filter((line) => line !== '');
}
