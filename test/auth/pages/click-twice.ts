import type { Page } from 'playwright-core';
import { eventually } from '#test/support/eventually.js';

/**
 * Clicks a button a second time after the form has left and before its answer is there: each answer takes a second.
 * @returns how many forms have been submitted so far
 */
export async function clickTwice(page: Page, name: string): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 1_000, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', slow);
  let posts = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') posts += 1;
  });
  const { x = 0, y = 0 } = (await page.getByRole('button', { name }).boundingBox()) ?? {};
  await page.mouse.click(x + 10, y + 10);
  await eventually(() => posts === 1, 'the form has left');
  await page.mouse.click(x + 10, y + 10);
  return () => posts;
}
