import type { Context } from 'koa';

/** A request header; undefined where it is absent or empty. */
export const header = (context: Context, name: string): string | undefined => {
  const found = context.get(name);
  return found === '' ? undefined : found;
};

/** The bearer of `Authorization: Bearer …` (RFC 6750 §2.1); undefined without the header, and empty where it holds anything else. */
export const bearerOf = (context: Context): string | undefined => {
  const given = header(context, 'Authorization');
  return given === undefined ? undefined : (/^Bearer +([^\s]+)$/i.exec(given)?.[1] ?? '');
};
