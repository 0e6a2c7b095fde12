import { appendFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import type { plugins } from '#plugins/all.gen.js';

export type ProductName = (typeof plugins)[number]['name'];

/** Products that the tests of a folder need, in addition to the product that the folder is named after. */
const needsOfFolders: Readonly<Record<string, readonly ProductName[]>> = {
  'email/automation': ['audience'],
  'email/broadcast': ['audience'],
  'sms/automation': ['audience', 'email'],
  'sms/broadcast': ['audience'],
};

const testFolder = fileURLToPath(new URL('..', import.meta.url));
const chosen = process.env['SVC_TEST_PRODUCTS'];

/**
 * SVC_PRODUCTS of test deployments as `npm test -- --products` chose it; no variable without that option.
 * @param others names of additional plugins
 */
export const chosenProducts = (others: readonly string[] = []): { SVC_PRODUCTS?: string } =>
  chosen === undefined ? {} : { SVC_PRODUCTS: [chosen, ...others].join(',') };

/** The products of this list that test deployments enable. */
export const enabledProducts = (names: readonly string[]): readonly string[] =>
  chosen === undefined ? names : names.filter((name) => chosen.split(',').includes(name));

/**
 * Skips the suite if `npm test -- --products` left out a product that it needs. Call it inside `describe`, before hooks
 * that need the products. `usePlatform` calls it for the products that the file's folder needs.
 */
export function needProducts(...names: readonly ProductName[]): void {
  if (chosen === undefined) return;
  before(async function () {
    const file = this.test?.file ?? '';
    const missing = without([...(await needsOf(file)), ...names]);
    if (missing.length === 0) return;
    noteSkipped('suite', file, missing);
    this.skip();
  });
}

/**
 * `it` for a single case that needs products, in a suite that does not:
 * `itNeeding('audience')('is erased with the contact', …)`.
 */
export const itNeeding =
  (...names: readonly ProductName[]) =>
  (title: string, test: Mocha.AsyncFunc): void => {
    const missing = without(names);
    it(
      title,
      missing.length === 0
        ? test
        : function () {
            noteSkipped('case', this.test?.file ?? '', missing);
            this.skip();
          },
    );
  };

const without = (names: readonly string[]): string[] =>
  chosen === undefined ? [] : [...new Set(names)].filter((name) => !chosen.split(',').includes(name)).sort();

/** The products that the folders above a test file need. */
async function needsOf(file: string): Promise<readonly string[]> {
  const folders = relative(testFolder, file).split(sep).slice(0, -1);
  const products = (await findPlugins()).map(({ name }) => name);
  const paths = folders.map((_, index) => folders.slice(0, index + 1).join('/'));
  return paths.flatMap((path) => [...(products.includes(path) ? [path] : []), ...(needsOfFolders[path] ?? [])]);
}

/** Records what is skipped, for the summary of the run (scripts/test-products.ts). */
export function noteSkipped(what: 'suite' | 'case', file: string, missing: readonly string[]): void {
  const notes = process.env['SVC_TEST_SKIPPED'];
  const line = JSON.stringify({ what, file: relative(testFolder, file), missing: missing.join(' and ') });
  if (notes !== undefined) appendFileSync(notes, `${line}\n`);
}
