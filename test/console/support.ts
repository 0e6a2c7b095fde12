import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { dashboardOf, dashboardSession } from '#test/account/dashboard/support.js';
import { useBrowser } from '#test/support/browser.js';
import { usePlatform, type TestAccount, type TestOptions, type TestPlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

export interface ConsoleTest {
  readonly platform: TestPlatform;
  /**
   * Opens a screen as a member, in the live environment of the account.
   * @param path below the environment: `email/message?status=sent`
   */
  open(account: TestAccount, path: string, options?: OpenOptions): Promise<Page>;
  /** Signs a member in, by the cookies that the hosted pages set. */
  signIn(page: Page, email: string, facts?: { mfa?: boolean }): Promise<void>;
  /** What browsers reported on all pages: errors of scripts, and what the policy blocked. */
  readonly complaints: readonly string[];
}

export interface OpenOptions extends BrowserContextOptions {
  /** The member; the account's owner if not given. */
  email?: string;
  side?: 'live' | 'test';
}

/** The console in a browser. */
export function useConsole(options: TestOptions = {}): ConsoleTest {
  needProducts('auth');
  const platform = usePlatform(options);
  const browser = useBrowser();
  const complaints: string[] = [];
  const signIn = async (page: Page, email: string, facts: { mfa?: boolean } = {}): Promise<void> => {
    const { accessToken, refreshToken } = await dashboardSession(platform, email, facts);
    const { id } = await dashboardOf(platform);
    const url = platform.running.address;
    await page.context().addCookies([
      { name: `svc_access_${id}`, value: accessToken, url, httpOnly: true },
      { name: `svc_refresh_${id}`, value: refreshToken, url, httpOnly: true },
    ]);
  };
  return {
    platform,
    complaints,
    signIn,
    async open(account, path, { email = account.ownerEmail, side = 'live', ...context } = {}) {
      const page = await browser.open({ viewport: { width: 1360, height: 850 }, locale: 'en-GB', ...context });
      page.on('console', (message) => {
        // Browsers report every answer with status 4xx; refusals are shown on the screen.
        const isStatus = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !isStatus) complaints.push(`${page.url()}: ${message.text()}`);
      });
      page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
      await signIn(page, email);
      await page.goto(`${platform.running.address}/console/${account[side].id}/${path}`);
      await page.locator('h1').first().waitFor();
      return page;
    },
  };
}

/** The server cannot be reached from the page, as while it restarts. @returns ends it */
export async function cutOff(page: Page, path: string | RegExp = '**/*'): Promise<() => Promise<void>> {
  const refuse = (route: Route): Promise<void> => route.abort('connectionrefused');
  await page.route(path, refuse);
  return () => page.unroute(path, refuse);
}

/** Opens a screen as its link does, without loading the console again. @param path below the environment */
export const goTo = async (page: Page, path: string): Promise<void> => {
  const address = page.url().replace(/(\/console\/[^/?]+).*$/, `$1/${path}`);
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
};
