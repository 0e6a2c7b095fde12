import type { Context } from 'koa';

/** Whether a request only reads. */
export const isReader = ({ method }: Context): boolean => method === 'GET' || method === 'HEAD';

/** Whether the client prefers HTML, as browsers do. Programs that accept anything get JSON. */
export const wantsHtml = (context: Context): boolean => context.accepts('json', 'html') === 'html';
