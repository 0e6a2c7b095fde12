import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** The browser of this machine: SVC_TEST_CHROMIUM, or the first of the usual names on the PATH. */
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

export interface TestBrowser {
  /** A page in a window of its own: no script, another size, another language, as the options say. */
  open(options?: BrowserContextOptions): Promise<Page>;
}

/** Chromium for the tests of one `describe`, which are skipped where the machine has none. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  before(async function () {
    this.timeout(60_000);
    const executablePath = chromiumPath();
    if (executablePath === undefined) return this.skip();
    // Containers have neither user namespaces nor a large /dev/shm; the tests open pages of our own alone.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  });
  afterEach(async () => {
    await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
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
