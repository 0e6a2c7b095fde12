import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const wide = { width: 1200, height: 900 };
const phone = { width: 360, height: 740 };
const looks = [
  { name: 'light', colorScheme: 'light', viewport: wide },
  { name: 'dark', colorScheme: 'dark', viewport: wide },
  { name: 'phone', colorScheme: 'light', viewport: phone },
  { name: 'phone-dark', colorScheme: 'dark', viewport: phone },
] as const;
type LookName = (typeof looks)[number]['name'];

/** The elements that make a page wider than its window. */
const tooWide = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.querySelectorAll('body *')]
    .filter((each) => each.getBoundingClientRect().right > clientWidth)
    .map((each) => each.outerHTML.slice(0, 120));
})()`;

/**
 * Fails unless axe finds nothing wrong with the page, the page is no wider than the window and its navigation is fully
 * visible, in light and dark and on a phone. If SVC_TEST_SCREENSHOTS is set to a folder, it stores a picture of each
 * variant. The page must be opened with `bypassCSP`.
 * @param only the variants to look at; all if not given
 */
export async function expectGoodLooks(
  page: Page,
  name: string,
  only: readonly LookName[] = looks.map((look) => look.name),
): Promise<void> {
  const folder = process.env['SVC_TEST_SCREENSHOTS'];
  for (const look of looks.filter((each) => only.includes(each.name))) {
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.setViewportSize(look.viewport);
    await expectAccessible(page, `${name}, ${look.name}`);
    expect(await page.evaluate(tooWide), `${name} is wider than the window, ${look.name}`).to.deep.equal([]);
    const cut = await page.evaluate(
      '[...document.querySelectorAll("nav")].filter((nav) => nav.scrollWidth > nav.clientWidth).map((nav) => nav.innerText)',
    );
    expect(cut, `${name} cuts a navigation off, ${look.name}`).to.deep.equal([]);
    if (folder === undefined) continue;
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}-${look.name}.png`), fullPage: true });
  }
}

/** Fails unless axe finds nothing wrong with the page, at WCAG 2.2 AA. */
async function expectAccessible(page: Page, name: string): Promise<void> {
  await page.evaluate(await readFile(axe, 'utf8'));
  const found: unknown = await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' ')))`,
  );
  expect(found, `${name} at ${page.url()}`).to.deep.equal([]);
}
