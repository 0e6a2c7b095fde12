import { isIP, isIPv4, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressRules } from './address-rules.js';
import { AddressNotAllowedError, NameNotResolvedError } from './failure.js';
import { errorCode, type Resolve } from './resolve.js';
import { skipContinue } from './skip-continue.js';
import { isLocalhost, loopbackAddresses } from './url-rules.js';

/** Limits the handshake, so that sockets to silent hosts do not accumulate. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * How long one of several addresses is tried before the next one (RFC 8305 section 5). Node's 250 ms are too short for
 * distant hosts.
 */
const ATTEMPT_TIMEOUT_MS = 2_000;

/**
 * Opens every socket of the client, so that no connection avoids the rules. A host that is an address never reaches
 * `lookup` and is checked separately. A name is resolved once, all of its addresses are checked, and only these are
 * connected to, which prevents DNS rebinding.
 *
 * @param rules the allowed addresses
 * @param resolve resolves names
 * @param ca certificates to trust instead of Node's list
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
    connect(options, (...[error, socket]) => {
      if (socket) skipContinue(socket);
      if (error) callback(error, null);
      else callback(null, socket);
    });
  };
}

function filteringLookup(rules: AddressRules, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    allowedAddresses(hostname, rules, resolve).then(
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
 * All addresses of a name must be allowed. Connecting to the allowed ones would be safe too, but a private address in
 * public DNS is a mistake or an attack, which the owner of the name should learn about with every request.
 */
async function allowedAddresses(hostname: string, rules: AddressRules, resolve: Resolve): Promise<readonly string[]> {
  // Name servers are never queried for localhost (RFC 6761 section 6.3).
  const addresses = isLocalhost(hostname)
    ? loopbackAddresses.filter(rules.permits)
    : await resolveName(hostname, resolve);
  if (addresses.length === 0 || !addresses.every(rules.permits)) throw new AddressNotAllowedError();
  return addresses;
}

async function resolveName(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  const addresses = await resolve(hostname).catch((error: unknown) => {
    throw error instanceof NameNotResolvedError ? error : new NameNotResolvedError(errorCode(error));
  });
  if (addresses.length === 0) throw new NameNotResolvedError('ENODATA');
  return addresses;
}

function withFamily(address: string): { address: string; family: number } {
  return { address, family: isIPv4(address) ? 4 : 6 };
}
