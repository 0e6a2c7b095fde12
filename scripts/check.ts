import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run check -- plugins/<name>`: what `.ci/run` checks, for one product: types, lint, formats, import rules, the
 * contract tests, and its own tests, on a deployment of this product and those that it needs. A check that fails does
 * not keep the others from running. The last line says which failed.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const [given = '', ...more] = process.argv.slice(2);
const name = basename(given);

if (more.length > 0 || !existsSync(join(root, 'plugins', name, 'index.ts')) || name === '') {
  process.stderr.write('Name one product: npm run check -- plugins/links\n');
  process.exit(1);
}

interface Check {
  readonly title: string;
  /** A program of node_modules/, or of this repository, and its arguments. */
  readonly words: readonly string[];
}

const folders = [`plugins/${name}`, `migrations/${name}`, `test/${name}`].filter((path) =>
  existsSync(join(root, path)),
);
const fromSources = ['--conditions=svc-source', '--import', 'tsx'];
const kept = ['--noEmit', '--incremental', '--tsBuildInfoFile'];
const tsc = 'node_modules/typescript/bin/tsc';

const generated: Check = { title: 'generate', words: [...fromSources, 'scripts/generate.ts', '--sources'] };
const types: Check[] = [
  { title: 'types', words: [tsc, '-p', 'tsconfig.json', ...kept, 'node_modules/.cache/check.json'] },
  ...(existsSync(join(root, 'plugins', name, 'console'))
    ? [{ title: 'types of the console', words: [tsc, '-p', 'tsconfig.console.json'] }]
    : []),
];
const lint: Check[] = [
  { title: 'lint', words: ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0', ...folders] },
  { title: 'formats', words: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', ...folders] },
  {
    title: 'import rules',
    words: [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      `plugins/${name}`,
    ],
  },
];
/** Without that of the subsets of products, which starts each of them and knows nothing of a product alone. */
const contract = readdirSync(join(root, 'test/contract'))
  .filter((file) => file.endsWith('.test.ts') && file !== 'subsets.test.ts')
  .map((file) => `test/contract/${file}`);
const tests: Check = {
  title: 'tests',
  words: [...fromSources, 'scripts/test.ts', '--jobs', '2', '--products', name, ...contract, `test/${name}`],
};

/** Runs a check. @returns its title if it fails */
function failed({ title, words }: Check): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { cwd: root, stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0 ? [] : [title]));
  });
}

/** Runs checks one after the other. @returns the titles of those that fail */
async function failedOf(checks: readonly Check[]): Promise<string[]> {
  const titles: string[] = [];
  for (const check of checks) titles.push(...(await failed(check)));
  return titles;
}

const titles = await failed(generated);
for (const of of await Promise.all([failedOf(types), failedOf(lint)])) titles.push(...of);
titles.push(...(await failed(tests)));
const what = [...types, ...lint, tests].map(({ title }) => title).join(', ');
process.stdout.write(
  titles.length === 0 ? `plugins/${name}: ${what} pass.\n` : `plugins/${name} fails: ${titles.join(', ')}.\n`,
);
process.exitCode = titles.length === 0 ? 0 : 1;
