import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Bits of an IPv6 address that name the network: a subscriber chooses the others at will (RFC 4291 §2.5.4, RFC 7421).
 */
const networkBits = 64;

/** Bits of an IPv6 address that name a site: a subscriber may have all networks of one (RFC 6177 §2). */
const siteBits = 48;

const group = (address: string, bits: number): string =>
  isIPv6(address) ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}` : address;

/**
 * The group that limits per client address count by: an IPv4 address, or the /64 network of an IPv6 address. The
 * limits are listed in docs/security.md (Which limit protects what).
 * @param address as `RequestFacts.ip` has it: in its normalized spelling
 */
export const addressGroup = (address: string): string => group(address, networkBits);

/**
 * The group that shares of a limit count by: an IPv4 address, or the /48 site of an IPv6 address. One subscriber must
 * not be able to multiply its shares.
 */
export const addressSite = (address: string): string => group(address, siteBits);
