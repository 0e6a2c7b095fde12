import type { Context } from 'koa';

/** A request header; undefined if absent or empty. */
export const header = (context: Context, name: string): string | undefined => {
  const found = context.get(name);
  return found === '' ? undefined : found;
};

/** The token of `Authorization: Bearer …` (RFC 6750 §2.1); undefined without the header, empty for another scheme. */
export const bearerOf = (context: Context): string | undefined => {
  const given = header(context, 'Authorization');
  return given === undefined ? undefined : (/^Bearer +([^\s]+)$/i.exec(given)?.[1] ?? '');
};
