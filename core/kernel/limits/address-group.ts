import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name the network: a subscriber chooses the others at will (RFC 4291 §2.5.4, RFC 7421). */
const networkBits = 64;

/**
 * What limits per client address count by: an IPv4 address, or the /64 network of an IPv6 address.
 * @param address as `RequestFacts.ip` has it: in its one normal spelling
 */
export function addressGroup(address: string): string {
  if (!isIPv6(address)) return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${networkBits}`).toString()}/${networkBits}`;
}
