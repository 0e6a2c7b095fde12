import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Which network addresses a customer's URL may reach. */
export interface AddressRules {
  /** Whether a literal address, as a resolver or a parsed URL writes it, may be dialled. Anything else: false. */
  readonly permits: (address: string) => boolean;
  /** True when private addresses of any kind are let through, so that private names are worth resolving. */
  readonly someAllowed: boolean;
}

/**
 * Addresses that the registries call global but that a machine on that network answers with its own secrets.
 * 168.63.129.16 is the platform service of every Azure virtual machine.
 */
const platformServices = [ipaddr.parseCIDR('168.63.129.16/32')];

/** IANA hands out global unicast addresses from here alone (RFC 4291 section 2.4); ipaddr.js calls the rest unicast too. */
const globalUnicast6 = ipaddr.parseCIDR('2000::/3');

/**
 * The rules for addresses: public unicast ones, and whatever the operator allows besides.
 *
 * @param allow CIDR ranges, or single addresses, that may be reached although they are not public
 * @returns the rules
 * @throws Error naming SVC_OUTBOUND_ALLOW when an entry is no range
 */
export function createAddressRules(allow: readonly string[]): AddressRules {
  const allowed = allow.map(parseRange);
  const permitted = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
    (isPublic(address) || allowed.some((range) => within(address, range))) &&
    // An operator who allows NAT64's prefix allows the public addresses behind it, not 10.0.0.1 through it.
    (address.kind() === 'ipv4' || carriedAddresses(address).every(permitted));
  return {
    someAllowed: allowed.length > 0,
    permits: (text) => {
      // ipaddr.js reads '010.1' and '1' as addresses; whoever dials would not. One reading for all.
      if (isIP(text) === 0 || text.includes('%')) return false;
      return permitted(ipaddr.process(text));
    },
  };
}

function parseRange(text: string): Range {
  const range = isIP(text) === 0 ? text : `${text}/${isIPv4(text) ? 32 : 128}`;
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(range)) return ipaddr.IPv4.parseCIDR(range);
  if (range.includes(':') && ipaddr.IPv6.isValidCIDR(range)) return ipaddr.IPv6.parseCIDR(range);
  throw new Error(`SVC_OUTBOUND_ALLOW: '${text}' is not a range of addresses such as 10.0.0.0/8 or fd00::/8.`);
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  if (platformServices.some((range) => within(address, range))) return false;
  return address.kind() === 'ipv4' || within(address, globalUnicast6);
}

function within(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/**
 * The IPv4 addresses that an IPv6 address makes a router or a tunnel on the way dial in the end. Mapped addresses
 * (::ffff:0:0/96) are not among them: `process` has made IPv4 of those already.
 */
function carriedAddresses(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = bytePairs(address.toByteArray());
  const carried: ipaddr.IPv4[] = [];
  const upperFour = a | b | c | d;
  // IPv4-compatible, RFC 4291 section 2.5.5.1; below ::1:0 lie only :: and ::1, which carry nothing.
  if (upperFour === 0 && e === 0 && f === 0 && g !== 0) carried.push(fromPairs(g, h));
  // Translated, RFC 2765 section 2.1.
  if (upperFour === 0 && e === 0xffff && f === 0) carried.push(fromPairs(g, h));
  // NAT64, RFC 6052 section 2.1.
  if (a === 0x64 && b === 0xff9b && (c | d | e | f) === 0) carried.push(fromPairs(g, h));
  // 6to4, RFC 3056 section 2.
  if (a === 0x2002) carried.push(fromPairs(b, c));
  // Teredo, RFC 4380 section 4: the server, and the client's address with every bit turned over.
  if (a === 0x2001 && b === 0) carried.push(fromPairs(c, d), fromPairs(g ^ 0xffff, h ^ 0xffff));
  // ISATAP, RFC 5214 section 6.1, under any prefix.
  if ((e === 0 || e === 0x200) && f === 0x5efe) carried.push(fromPairs(g, h));
  return carried;
}

function bytePairs(bytes: readonly number[]): number[] {
  return Array.from({ length: bytes.length / 2 }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0));
}

function fromPairs(high: number, low: number): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}
