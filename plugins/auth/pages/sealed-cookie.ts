import type { PageCookie, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { SealedValueError, type Cell } from '#core/runtime/secrets/vault.js';
import type { Visit } from './visit.js';

/*
 * What the pages store in a browser between two requests. It is encrypted: nobody can read it there, and nobody else
 * can write it. The cookies' names contain the environment, like those of a session.
 */

/** What a cookie is for. */
export interface CookieUse {
  kind: string;
  /** Tells several cookies of a kind apart: letters, digits, `_` and `-`. */
  id?: string;
  /** The address or the person that the cookie belongs to. It cannot be opened for another one. */
  boundTo: string;
}

const nameOf = ({ environment }: Visit, { kind, id }: Omit<CookieUse, 'boundTo'>): string =>
  `svc_${kind}_${environment.id}${id === undefined ? '' : `.${id}`}`;

const cellOf = ({ environment }: Visit, { kind, id, boundTo }: CookieUse): Cell => ({
  table: 'auth_page_cookie',
  column: kind,
  row: `${environment.id} ${boundTo}${id === undefined ? '' : ` ${id}`}`,
});

/** @param maxAgeSeconds how long it can be opened */
export function sealedCookie(
  { vault, clock }: Services,
  visit: Visit,
  use: CookieUse,
  { texts, maxAgeSeconds }: { texts: Readonly<Record<string, string>>; maxAgeSeconds: number },
): PageCookie {
  const until = clock.now().getTime() + maxAgeSeconds * 1000;
  const value = vault.seal(JSON.stringify({ until, texts }), cellOf(visit, use)).toString('base64url');
  return { name: nameOf(visit, use), value, maxAgeSeconds };
}

/** @returns the contents of the cookie; null if there is none, it has expired, or it belongs to something else */
export function openedCookie(
  { vault, clock }: Services,
  page: PageRequest,
  visit: Visit,
  use: CookieUse,
): Map<string, string> | null {
  const value = page.cookies.get(nameOf(visit, use));
  if (!value) return null;
  try {
    const kept: unknown = JSON.parse(vault.open(Buffer.from(value, 'base64url'), cellOf(visit, use)).toString('utf8'));
    const until = fieldOf(kept, 'until');
    if (typeof until !== 'number' || until <= clock.now().getTime()) return null;
    const texts = fieldOf(kept, 'texts');
    return new Map(
      Object.entries(typeof texts === 'object' && texts !== null ? texts : {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
  } catch (error) {
    if (error instanceof SealedValueError) return null;
    throw error;
  }
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;

/** The ids of the cookies of a kind that the browser has for this environment, oldest first. */
export function cookieIds(page: PageRequest, visit: Visit, kind: string): string[] {
  const prefix = nameOf(visit, { kind, id: '' });
  return [...page.cookies.keys()].flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
}

/**
 * Removes the other cookies of a kind in this browser, of all environments, oldest first: browsers send them in that
 * order (RFC 6265 section 5.4).
 */
export const otherCookies = (page: PageRequest, visit: Visit, use: Omit<CookieUse, 'boundTo'>): PageCookie[] =>
  [...page.cookies.keys()]
    .filter((name) => name.startsWith(`svc_${use.kind}_`) && name !== nameOf(visit, use))
    .map((name) => ({ name, value: '', maxAgeSeconds: 0 }));

/** Removes a cookie. */
export const removedCookie = (visit: Visit, kind: string, id?: string): PageCookie => ({
  name: nameOf(visit, id === undefined ? { kind } : { kind, id }),
  value: '',
  maxAgeSeconds: 0,
});
