import { Resolver } from 'node:dns/promises';
import { isIP, isIPv4, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressRules } from './address-rules.js';
import { AddressNotAllowedError, NameNotResolvedError } from './failure.js';
import { isLocalhost, loopbackAddresses } from './url-rules.js';

/** Turns a host name into all of its addresses; an empty list or a rejection means that there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** A handshake that has not ended by then is given up, so that sockets to a silent host do not pile up. */
const CONNECT_TIMEOUT_MS = 10_000;

/** How long one of several addresses is tried before the next (RFC 8305 section 5). Node's 250 ms is less than a distant host needs. */
const ATTEMPT_TIMEOUT_MS = 2_000;

/**
 * Resolution over c-ares. Not `dns.lookup`: that holds one of libuv's four threads until the name server answers, so
 * that four customers with silent name servers would stop every password hash and file read. It follows that
 * the hosts file is not read; names of a private network want a name server.
 *
 * @returns the resolver, and `cancel`, which ends every question still open
 */
export function createResolver(): { resolve: Resolve; cancel: () => void } {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return {
    cancel: () => resolver.cancel(),
    resolve: async (hostname) => {
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      // One family's ENODATA says less than the other's ESERVFAIL.
      const codes = answers.map((answer) => (answer.status === 'rejected' ? errorCode(answer.reason) : 'ENODATA'));
      throw new NameNotResolvedError(codes.find((code) => code !== 'ENODATA') ?? 'ENODATA');
    },
  };
}

/**
 * The connector that every socket of the client comes from, and therefore the one place nothing can be dialled around.
 * A host that is an address never reaches `lookup`, so it is judged on its own; a name is resolved once, all of its
 * addresses are judged, and exactly those are dialled, so there is no second answer to rebind.
 *
 * @param rules which addresses may be reached
 * @param resolve turns names into addresses
 * @param ca certificates to trust instead of Node's own list
 * @returns a connector for undici
 */
export function createConnector(rules: AddressRules, resolve: Resolve, ca?: string): buildConnector.connector {
  const connect = buildConnector({
    lookup: filteringLookup(rules, resolve),
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    ...(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && !rules.permits(options.hostname)) {
      callback(new AddressNotAllowedError(), null);
      return;
    }
    connect(options, callback);
  };
}

function filteringLookup(rules: AddressRules, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    judgedAddresses(hostname, rules, resolve).then(
      (addresses) => {
        const [first = ''] = addresses;
        if (options.all === true) callback(null, addresses.map(withFamily));
        else callback(null, first, withFamily(first).family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new NameNotResolvedError('EUNKNOWN'), []),
    );
  };
}

/**
 * One refused address refuses the name. Dialling the others would be as safe, but an honest receiver has no private
 * address in public DNS: the mix is a mistake or an attempt, and its owner is better told at once, every time.
 */
async function judgedAddresses(hostname: string, rules: AddressRules, resolve: Resolve): Promise<readonly string[]> {
  // Never asked of a name server (RFC 6761 section 6.3).
  const addresses = isLocalhost(hostname) ? loopbackAddresses.filter(rules.permits) : await resolved(hostname, resolve);
  if (addresses.length === 0 || !addresses.every(rules.permits)) throw new AddressNotAllowedError();
  return addresses;
}

async function resolved(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  const addresses = await resolve(hostname).catch((error: unknown) => {
    throw error instanceof NameNotResolvedError ? error : new NameNotResolvedError(errorCode(error));
  });
  if (addresses.length === 0) throw new NameNotResolvedError('ENODATA');
  return addresses;
}

function withFamily(address: string): { address: string; family: number } {
  return { address, family: isIPv4(address) ? 4 : 6 };
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EUNKNOWN';
}
