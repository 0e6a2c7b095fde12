/**
 * The scheme of a native app, with its colon (`com.example.app:`): a domain name in reverse (RFC 8252 section 7.1).
 * The dot excludes `javascript:` and similar schemes.
 */
const appScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/** Whether a protocol, as URL writes it, is the scheme of a native app. */
export const isAppScheme = (protocol: string): boolean => appScheme.test(protocol);

/** The protocol of a native app's address, with its colon; undefined for every other address. */
export function appSchemeOf(url: string): string | undefined {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  return isAppScheme(protocol) ? protocol : undefined;
}

/**
 * An address that a page may send the browser to, as browsers request it.
 * @param url https, http or a native app's scheme, such as an application's redirect URL
 * @throws Error for anything else
 */
export function webOrAppAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && (['https:', 'http:'].includes(parsed.protocol) || isAppScheme(parsed.protocol))) return parsed.href;
  throw new Error(`A page cannot lead to "${url.slice(0, 200)}".`);
}
