import type { PageAnswer, PageCookie } from '#core/kernel/page.js';
import { webOrAppAddress } from './app-scheme.js';
import { privateHeaders } from './page.js';

/**
 * Redirects the browser with GET (303), for example after a form was submitted. A form must not be answered with a
 * redirect to another server: see `leadingTo`.
 * @param location a path or query of this server, or an address that `webOrAppAddress` accepts
 * @throws Error for any other location
 */
export function seeOther(location: string, cookies?: readonly PageCookie[]): PageAnswer {
  const isLocal = location.startsWith('?') || /^\/(?![/\\])/.test(location);
  return {
    status: 303,
    body: '',
    headers: { ...privateHeaders, Location: isLocal ? location : webOrAppAddress(location) },
    ...(cookies ? { cookies } : {}),
  };
}
