import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Fails unless axe finds nothing wrong with the page, at WCAG 2.2 AA. The page must be opened with `bypassCSP`. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  await page.evaluate(await readFile(source, 'utf8'));
  const found: unknown = await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' ')))`,
  );
  expect(found, `${name} at ${page.url()}`).to.deep.equal([]);
}
