import type { Context } from 'koa';
import { matchesETag, type CachedPage } from '../cached-page.js';

/**
 * Answers a page that is rendered at the first request and then cached, or 304 to a reader that has it. After a failure
 * it is tried again.
 */
export function cachedPage(make: () => Promise<CachedPage>): (context: Context) => Promise<void> {
  let made: Promise<CachedPage> | undefined;
  return async (context) => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    const { body, headers } = await made;
    context.set({ ...headers });
    if (matchesETag(context.get('If-None-Match'), headers.ETag)) context.status = 304;
    else context.body = body;
  };
}
