/**
 * A native app's own scheme is its domain name in reverse (RFC 8252 §7.1), which excludes `javascript:` and similar
 * schemes.
 */
const appScheme = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/;

/**
 * The Content-Security-Policy source for an address that a form may lead to.
 * @param url https, http or a native app's scheme, such as an application's redirect URL
 * @throws Error for anything else
 */
export function formTargetSource(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'https:' || parsed?.protocol === 'http:') return parsed.origin;
  if (parsed && appScheme.test(parsed.protocol)) return parsed.protocol;
  throw new Error(`A form cannot lead to "${url.slice(0, 200)}".`);
}
