import type { PageAnswer, PageCookie } from '#core/kernel/page.js';
import { formTargetSource } from './form-target.js';
import { privateHeaders } from './page.js';

/**
 * Redirects the browser with GET (303), for example after a form was submitted.
 * @param location a path or query of this server, or an address that `formTargetSource` accepts
 * @throws Error for any other location
 */
export function seeOther(location: string, cookies?: readonly PageCookie[]): PageAnswer {
  const isLocal = location.startsWith('?') || /^\/(?![/\\])/.test(location);
  if (!isLocal) formTargetSource(location);
  return {
    status: 303,
    body: '',
    headers: { ...privateHeaders, Location: isLocal ? location : new URL(location).href },
    ...(cookies ? { cookies } : {}),
  };
}
