import type { PageCookie } from '#core/kernel/page.js';

/**
 * A browser accepts this prefix only from https, with Secure, Path=/ and no Domain: no subdomain can plant such a
 * cookie (RFC 6265bis §4.1.3.2).
 */
const hostPrefix = '__Host-';
const namePattern = /^[\w.-]{1,100}$/;

/**
 * The value of a Set-Cookie header.
 * @param https whether svc is reached over https: on loopback, neither Secure nor the prefix that requires it is set
 * @throws Error for a name that is not valid in a cookie
 */
export function setCookieHeader({ name, value, maxAgeSeconds, sameSite = 'Lax' }: PageCookie, https: boolean): string {
  if (!namePattern.test(name)) throw new Error(`A page set a cookie with the name "${name}".`);
  return [
    `${https ? hostPrefix : ''}${name}=${encodeURIComponent(value)}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(https ? ['Secure'] : []),
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${Math.max(0, Math.trunc(maxAgeSeconds))}`]),
  ].join('; ');
}

/** The cookies of a request, by the names that pages know; over https those without the prefix are left out. */
export function readCookies(header: string, https: boolean): Map<string, string> {
  const prefix = https ? hostPrefix : '';
  const cookies = new Map<string, string>();
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, equals)).trim();
    const value = decoded(pair.slice(equals + 1).trim());
    if (name.length > prefix.length && name.startsWith(prefix) && value !== undefined)
      cookies.set(name.slice(prefix.length), value);
  }
  return cookies;
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
