import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The network addresses that customers' URLs may reach. */
export interface AddressRules {
  /**
   * Whether an address, in the form of a resolver or a parsed URL, may be connected to. False for anything that is not
   * an address.
   */
  readonly permits: (address: string) => boolean;
  /** Whether any private addresses are allowed, so that private names may be resolved. */
  readonly someAllowed: boolean;
}

/**
 * Addresses that are global by the registries but reach services of the machine's own platform. 168.63.129.16 is the
 * platform service of every Azure virtual machine.
 */
const platformServices = [ipaddr.parseCIDR('168.63.129.16/32')];

/**
 * The only range of global unicast addresses that IANA assigns (RFC 4291 section 2.4). For ipaddr.js, the rest is
 * unicast too.
 */
const globalUnicast6 = ipaddr.parseCIDR('2000::/3');

/**
 * Rules that allow public unicast addresses, and the additional ranges that the operator allows.
 *
 * @param allow CIDR ranges or single addresses that are allowed although they are not public
 * @returns the rules
 * @throws Error naming SVC_OUTBOUND_ALLOW if an entry is not a range
 */
export function createAddressRules(allow: readonly string[]): AddressRules {
  const allowed = allow.map(parseRange);
  const permitted = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
    (isPublic(address) || allowed.some((range) => within(address, range))) &&
    // Allowing NAT64's prefix allows the public addresses behind it, not private ones such as 10.0.0.1.
    (address.kind() === 'ipv4' || embeddedAddresses(address).every(permitted));
  return {
    someAllowed: allowed.length > 0,
    permits: (text) => {
      // ipaddr.js accepts '010.1' and '1' as addresses, and the operating system may read them differently.
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
 * The IPv4 addresses that a router or tunnel connects to for an IPv6 address. Not for mapped addresses (::ffff:0:0/96),
 * which `process` has already converted to IPv4.
 */
function embeddedAddresses(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = bytePairs(address.toByteArray());
  const embedded: ipaddr.IPv4[] = [];
  const upperFour = a | b | c | d;
  // IPv4-compatible, RFC 4291 section 2.5.5.1; below ::1:0 there are only :: and ::1, which embed nothing.
  if (upperFour === 0 && e === 0 && f === 0 && g !== 0) embedded.push(fromPairs(g, h));
  // Translated, RFC 2765 section 2.1.
  if (upperFour === 0 && e === 0xffff && f === 0) embedded.push(fromPairs(g, h));
  // NAT64, RFC 6052 section 2.1.
  if (a === 0x64 && b === 0xff9b && (c | d | e | f) === 0) embedded.push(fromPairs(g, h));
  // 6to4, RFC 3056 section 2.
  if (a === 0x2002) embedded.push(fromPairs(b, c));
  // Teredo, RFC 4380 section 4: the server, and the client's address with all bits inverted.
  if (a === 0x2001 && b === 0) embedded.push(fromPairs(c, d), fromPairs(g ^ 0xffff, h ^ 0xffff));
  // ISATAP, RFC 5214 section 6.1, under any prefix.
  if ((e === 0 || e === 0x200) && f === 0x5efe) embedded.push(fromPairs(g, h));
  return embedded;
}

function bytePairs(bytes: readonly number[]): number[] {
  return Array.from({ length: bytes.length / 2 }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0));
}

function fromPairs(high: number, low: number): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}
