import { isIP, isIPv4, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressRules } from './address-rules.js';
import { AddressNotAllowedError, NameNotResolvedError } from './failure.js';
import { errorCode, type Resolve } from './resolve.js';
import { isLocalhost, loopbackAddresses } from './url-rules.js';

/** A handshake that has not ended by then is given up, so that sockets to a silent host do not pile up. */
const CONNECT_TIMEOUT_MS = 10_000;

/** How long one of several addresses is tried before the next (RFC 8305 section 5). Node's 250 ms is less than a distant host needs. */
const ATTEMPT_TIMEOUT_MS = 2_000;

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
