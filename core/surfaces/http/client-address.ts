import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import { addressGroup } from '#core/kernel/limits/address-group.js';

/**
 * One spelling for each address: lower case, shortest form, without brackets, port and zone, IPv4 if IPv6 only maps it.
 * @returns undefined if the text is not an address
 */
function normalizeAddress(text: string): string | undefined {
  const known = normalized.get(text);
  if (known !== undefined) return known;
  const found = readAddress(text);
  if (found === undefined || text.length > longestRemembered) return found;
  if (normalized.size >= rememberedAddresses) normalized.clear();
  // A copy: a piece of a header would keep the whole header in memory.
  normalized.set(Buffer.from(text, 'latin1').toString('latin1'), found);
  return found;
}

/** Addresses that were read before: most requests come from the same ones, and reading one takes several µs. */
const normalized = new Map<string, string>();
const rememberedAddresses = 10_000;
const longestRemembered = 64;

function readAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  const [address = ''] = bare.split('%', 1);
  // ipaddr.js also reads "1" and "010.1" as addresses.
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString();
}

/**
 * Reads the client's address: the connection's peer or, if that is a trusted proxy, the first address of
 * X-Forwarded-For from the right that is not a trusted proxy's. An invalid entry ends the search, and the last trusted
 * proxy's address is used.
 * @param trusted addresses and CIDR ranges of SVC_TRUST_PROXY
 */
export function clientAddressReader(trusted: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile([...trusted]);
  return (request) => {
    const header = request.headers['x-forwarded-for'];
    const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').reverse();
    const peer = normalizeAddress(request.socket.remoteAddress ?? '');
    if (peer === undefined) return 'unknown';
    let client: string = peer;
    for (const [index, hop] of hops.entries()) {
      const before: string | undefined = isTrusted(client, index) ? normalizeAddress(hop) : undefined;
      if (before === undefined) break;
      client = before;
    }
    return client;
  };
}

/**
 * The client that a connection counts for (core/runtime/connections.ts): its peer's address or, for IPv6, the peer's
 * network.
 * @param trusted addresses and CIDR ranges of SVC_TRUST_PROXY: a proxy holds the connections of many clients and is not
 *   limited
 */
export function connectionClient(trusted: readonly string[]): (address: string) => string | undefined {
  const isTrusted = trustedPeer(trusted);
  return (address) => {
    if (isTrusted(address)) return undefined;
    const peer = normalizeAddress(address);
    return peer === undefined ? 'unknown' : addressGroup(peer);
  };
}

/** Whether the peer of a connection is a trusted proxy. @param trusted addresses and CIDR ranges of SVC_TRUST_PROXY */
export function trustedPeer(trusted: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyAddr.compile([...trusted]);
  return (address) => {
    const peer = normalizeAddress(address);
    return peer !== undefined && isTrusted(peer, 0);
  };
}
