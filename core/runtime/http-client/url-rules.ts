import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.js';

/** What may be said of a customer's URL before anything is dialled. */
export type UrlVerdict = { ok: true; url: URL } | { ok: false; problem: string };

/** The loopback addresses that RFC 6761 section 6.3 gives to every name under localhost. */
export const loopbackAddresses = ['127.0.0.1', '::1'] as const;

/** Names of private networks: RFC 6762 section 3 (.local), ICANN's .internal, RFC 8375 (home.arpa). */
const privateSuffixes = ['.local', '.internal', '.home.arpa'];

/**
 * Whether a host name means this machine, whatever a resolver says (RFC 6761 section 6.3).
 *
 * @param hostname a host in lower case without its final dot
 * @returns true for localhost and the names under it
 */
export function isLocalhost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

/**
 * Judges a URL that a customer names, by its text alone. A host that is an address is judged here and again when it is
 * dialled; a name can only be judged in full once it is resolved.
 *
 * @param text the URL as it was given
 * @param rules `http`: whether plain http is accepted beside https
 * @param addresses which addresses may be reached
 * @returns the URL parsed, without its fragment and the final dot of its host; or a sentence that says what is wrong
 */
export function judgeUrl(text: string, rules: { http: boolean }, addresses: AddressRules): UrlVerdict {
  if (!URL.canParse(text)) return refuse('This is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('The URL must start with https://.');
  if (url.protocol === 'http:' && !rules.http) return refuse('The URL must start with https://.');
  if (url.username !== '' || url.password !== '') return refuse('The URL must not carry a user name or a password.');
  if (url.port === '0') return refuse('Nothing can be reached at port 0.');
  // RFC 6066 section 3: the server name of a TLS handshake has no final dot.
  if (url.hostname.endsWith('.')) {
    const bare = url.hostname.replace(/\.+$/, '');
    if (bare === '') return refuse('This is not a URL.');
    url.hostname = bare;
  }
  url.hash = '';
  const problem = hostProblem(url.hostname, addresses);
  return problem === undefined ? { ok: true, url } : refuse(problem);
}

function refuse(problem: string): UrlVerdict {
  return { ok: false, problem };
}

/** WHATWG URL has already turned 0x7f.1, 2130706433 and full-width digits into 127.0.0.1, and lowered every name. */
function hostProblem(hostname: string, addresses: AddressRules): string | undefined {
  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(literal) !== 0) return addresses.permits(literal) ? undefined : 'The host is not a public address.';
  if (isLocalhost(hostname)) {
    return loopbackAddresses.some(addresses.permits) ? undefined : 'The host is not a public address.';
  }
  // No name of one label is public (RFC 7085 tells why); inside a private network it may well be a machine.
  const isPrivate = !hostname.includes('.') || privateSuffixes.some((suffix) => `.${hostname}`.endsWith(suffix));
  return isPrivate && !addresses.someAllowed ? 'The host is a name of a private network.' : undefined;
}
