import type { Context } from 'koa';
import { matchesETag, type CachedPage } from '../cached-page.js';

/** Answers with a page that is made when the first reader asks, and kept; who has it already is told so. */
export function cachedPage(make: () => Promise<CachedPage>): (context: Context) => Promise<void> {
  let made: Promise<CachedPage> | undefined;
  return async (context) => {
    const { body, headers } = await (made ??= make());
    context.set({ ...headers });
    if (matchesETag(context.get('If-None-Match'), headers.ETag)) context.status = 304;
    else context.body = body;
  };
}
