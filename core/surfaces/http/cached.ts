import type { Context } from 'koa';
import { holds, type KeptPage } from '../cached-page.js';

/** Answers with a page that is made when the first reader asks, and kept; who has it already is told so. */
export function keptPage(make: () => Promise<KeptPage>): (context: Context) => Promise<void> {
  let made: Promise<KeptPage> | undefined;
  return async (context) => {
    const { body, headers } = await (made ??= make());
    context.set({ ...headers });
    if (holds(context.get('If-None-Match'), headers.ETag)) context.status = 304;
    else context.body = body;
  };
}
