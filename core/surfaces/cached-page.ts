import { createHash } from 'node:crypto';

/** A page that is rendered once: the same bytes for everybody. */
export interface CachedPage {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>> & { readonly ETag: string };
}

/** A strong entity tag (RFC 9110 §8.8.3): the same for the same bytes. */
export const etagOf = (body: string | Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

/** The headers by which a body is kept, and asked for again each time: after an upgrade nobody reads yesterday's. */
export const cacheHeaders = (body: Buffer): { 'Cache-Control': string; ETag: string } => ({
  'Cache-Control': 'no-cache',
  ETag: etagOf(body),
});

/**
 * Does the reader have the body already?
 * @param header If-None-Match: a proxy that compresses weakens the tag, and there may be several (RFC 9110 §13.1.2)
 */
export const matchesETag = (header: string, tag: string): boolean =>
  header.split(',').some((each) => [tag, '*'].includes(each.trim().replace(/^W\//, '')));
