import { openInBrowser } from '../terminal/browser.js';
import { connectionOf } from '../session/connection.js';
import type { OwnOptions } from '../options.js';

/** Prints the reference page's address, and opens it if a person is at the terminal. */
export async function open(options: OwnOptions, browser: boolean): Promise<void> {
  const address = `${(await connectionOf(options)).baseUrl}/docs/reference`;
  process.stdout.write(`${address}\n`);
  if (browser && process.stdout.isTTY) openInBrowser(address);
}
