import { createHash } from 'node:crypto';

/** A page that is rendered once and is the same for every reader. */
export interface CachedPage {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>> & { readonly ETag: string };
}

/** A strong entity tag (RFC 9110 §8.8.3): the same for the same bytes. */
export const etagOf = (body: string | Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

/** Headers for a body that clients may cache but must revalidate: after an upgrade nobody sees an old version. */
export const cacheHeaders = (body: Buffer): { 'Cache-Control': string; ETag: string } => ({
  'Cache-Control': 'no-cache',
  ETag: etagOf(body),
});

/**
 * Whether the reader has the current version.
 * @param header If-None-Match: may list several tags, and compressing proxies weaken them (RFC 9110 §13.1.2)
 */
export const matchesETag = (header: string, tag: string): boolean =>
  header.split(',').some((each) => [tag, '*'].includes(each.trim().replace(/^W\//, '')));
