import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** The path of the browser: SVC_TEST_CHROMIUM, or the first common name on the PATH. */
function chromiumPath(): string | undefined {
  const named = process.env['SVC_TEST_CHROMIUM'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const usual = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  return [...(named ? [named] : []), ...usual.flatMap((name) => folders.map((folder) => join(folder, name)))].find(
    isProgram,
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface TestBrowser {
  /** Opens a page in a new window. Options: scripts, size, language and so on. */
  open(options?: BrowserContextOptions): Promise<Page>;
}

/** How long the pages of a test may take to close. */
const closeMs = 10_000;

/** Chromium for the tests of one `describe`, which are skipped if the machine has none. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  before(async function () {
    this.timeout(60_000);
    const executablePath = chromiumPath();
    if (executablePath === undefined) return this.skip();
    // Containers have neither user namespaces nor a large /dev/shm. The tests only open our own pages.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  });
  afterEach(async () => {
    // Chromium does not always answer for a page that is leaving for another address. Its end closes what remains.
    const closed = Promise.all((browser?.contexts() ?? []).map((context) => context.close().catch(() => undefined)));
    await Promise.race([closed, pause(closeMs, undefined, { ref: false })]);
  });
  after(() => browser?.close());
  return {
    async open(options) {
      if (!browser) throw new Error('The browser does not run yet: use it inside it() or a hook.');
      const context = await browser.newContext(options);
      context.setDefaultTimeout(15_000);
      return context.newPage();
    },
  };
}
