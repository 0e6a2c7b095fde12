import type { Context, Next } from 'koa';
import { userOf } from './user-of.js';

/** Koa: `app.use(withUser)`, then `context.state.user` in every handler. */
export async function withUser(context: Context, next: Next): Promise<void> {
  Object.assign(context.state, { user: await userOf(context.get('Authorization'), context.get('Cookie')) });
  await next();
}
