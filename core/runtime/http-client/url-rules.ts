import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.js';
import { trimEnd } from '../trim-end.js';

/** The result of checking a customer's URL by its text. */
export type UrlCheck = { ok: true; url: URL } | { ok: false; problem: string };

/** The addresses of localhost and all names under it (RFC 6761 section 6.3). */
export const loopbackAddresses = ['127.0.0.1', '::1'] as const;

/** Names of private networks: RFC 6762 section 3 (.local), ICANN's .internal, RFC 8375 (home.arpa). */
const privateSuffixes = ['.local', '.internal', '.home.arpa'];

/**
 * Whether a host name means this machine, independent of any resolver (RFC 6761 section 6.3).
 *
 * @param hostname a host in lower case, without a final dot
 * @returns true for localhost and the names under it
 */
export function isLocalhost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

/**
 * Checks a customer's URL by its text. A host that is an address is checked here and again when connecting. The
 * addresses of a name are checked when it is resolved.
 *
 * @param text the URL
 * @param rules `http`: whether plain http is also allowed
 * @param addresses the allowed addresses
 * @returns the parsed URL without its fragment and its host's final dot, or a message that states the problem
 */
export function validateUrl(text: string, rules: { http: boolean }, addresses: AddressRules): UrlCheck {
  if (!URL.canParse(text)) return refuse('This is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('The URL must start with https://.');
  if (url.protocol === 'http:' && !rules.http) return refuse('The URL must start with https://.');
  if (url.username !== '' || url.password !== '') return refuse('The URL must not contain a user name or a password.');
  if (url.port === '0') return refuse('The URL must not use port 0.');
  // RFC 6066 section 3: the server name of a TLS handshake has no final dot.
  if (url.hostname.endsWith('.')) {
    const bare = trimEnd(url.hostname, '.');
    if (bare === '') return refuse('This is not a URL.');
    url.hostname = bare;
  }
  url.hash = '';
  const problem = hostProblem(url.hostname, addresses);
  return problem === undefined ? { ok: true, url } : refuse(problem);
}

function refuse(problem: string): UrlCheck {
  return { ok: false, problem };
}

/**
 * The URL parser has already converted 0x7f.1, 2130706433 and full-width digits to 127.0.0.1, and names to lower case.
 */
function hostProblem(hostname: string, addresses: AddressRules): string | undefined {
  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(literal) !== 0) return addresses.permits(literal) ? undefined : 'The host is not a public address.';
  if (isLocalhost(hostname)) {
    return loopbackAddresses.some(addresses.permits) ? undefined : 'The host is not a public address.';
  }
  // Names of one label are not public (RFC 7085), but may exist in a private network.
  const isPrivate = !hostname.includes('.') || privateSuffixes.some((suffix) => `.${hostname}`.endsWith(suffix));
  return isPrivate && !addresses.someAllowed ? 'The host is a name of a private network.' : undefined;
}
