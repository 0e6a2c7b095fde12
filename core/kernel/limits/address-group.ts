import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name the network: a subscriber chooses the others at will (RFC 4291 §2.5.4, RFC 7421). */
const networkBits = 64;

/** Bits of an IPv6 address that name a site: a subscriber may have all networks of one (RFC 6177 §2). */
const siteBits = 48;

const group = (address: string, bits: number): string =>
  isIPv6(address) ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}` : address;

/**
 * What limits per client address count by: an IPv4 address, or the /64 network of an IPv6 address.
 * @param address as `RequestFacts.ip` has it: in its one normal spelling
 */
export const addressGroup = (address: string): string => group(address, networkBits);

/** What shares of a limit count by, which one subscriber must not multiply: an IPv4 address, or the /48 site of an IPv6 address. */
export const addressSite = (address: string): string => group(address, siteBits);
