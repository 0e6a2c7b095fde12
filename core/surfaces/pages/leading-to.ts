import type { PageAnswer } from '#core/kernel/page.js';
import { webOrAppAddress } from './app-scheme.js';

/**
 * A page that leads to another server, or to an app, as soon as the browser shows it. After a form, a redirect does not
 * work: Chromium checks it, and every redirect that the other server answers with, against the form-action of the page
 * with the form. If one is not allowed, it silently stays on that page.
 * @param page has a link to the address, for browsers that do not follow by themselves
 * @param address must come from svc or be checked: whoever chooses it chooses where the browser ends
 * @throws Error for an address that `webOrAppAddress` does not accept
 */
export const leadingTo = (page: PageAnswer, address: string): PageAnswer => ({
  ...page,
  headers: { ...page.headers, Refresh: `0; url=${webOrAppAddress(address)}` },
});
