import type { Context } from 'koa';
import { matchesETag, type CachedPage } from '../cached-page.js';

/** Answers a page that is rendered at the first request and then cached, or 304 to a reader that has it. */
export function cachedPage(make: () => Promise<CachedPage>): (context: Context) => Promise<void> {
  let made: Promise<CachedPage> | undefined;
  return async (context) => {
    const { body, headers } = await (made ??= make());
    context.set({ ...headers });
    if (matchesETag(context.get('If-None-Match'), headers.ETag)) context.status = 304;
    else context.body = body;
  };
}
