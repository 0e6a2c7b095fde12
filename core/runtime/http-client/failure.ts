/** Why a request has no response. Customers may see the message: it contains no addresses. */
export interface HttpFailure {
  kind: 'url_not_allowed' | 'dns' | 'connect' | 'tls' | 'timeout' | 'protocol';
  message: string;
}

/** The host is, or resolves to, an address that the rules do not allow. */
export class AddressNotAllowedError extends Error {
  override readonly name = 'AddressNotAllowedError';
  constructor() {
    // Does not name the address, so that nobody can query private names.
    super('The host does not resolve to public addresses only.');
  }
}

/**
 * The name has no addresses, or its name server did not answer. Has its own class, because codes such as ECONNREFUSED
 * occur when connecting too.
 */
export class NameNotResolvedError extends Error {
  override readonly name = 'NameNotResolvedError';
  constructor(code: string) {
    super(code === 'ENOTFOUND' || code === 'ENODATA' ? 'The host does not exist.' : `The host's DNS failed (${code}).`);
  }
}

/** Node's and OpenSSL's error codes of certificates and handshakes. */
const tlsCode =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_(CA|PURPOSE)$|HOSTNAME_|EPROTO$)/;

/** Part of Node's message if the other side closes the connection during the handshake; the code is only ECONNRESET. */
const cutHandshake = 'before secure TLS connection was established';

const connectMessages = new Map([
  ['ECONNREFUSED', 'The connection was refused.'],
  ['ECONNRESET', 'The connection was reset.'],
  ['EHOSTUNREACH', 'The host cannot be reached.'],
  ['ENETUNREACH', 'The network of the host cannot be reached.'],
]);

/**
 * Converts an error of the socket, TLS or undici to one of the kinds that callers distinguish.
 *
 * @param error the error that undici reported
 * @param sent whether the connection was established and the request started
 * @returns the kind and a message for people
 */
export function describeFailure(error: Error, sent: boolean): HttpFailure {
  if (error instanceof AddressNotAllowedError) return { kind: 'url_not_allowed', message: error.message };
  if (error instanceof NameNotResolvedError) return { kind: 'dns', message: error.message };
  const code = codeOf(error);
  if (tlsCode.test(code) || error.message.includes(cutHandshake)) {
    return { kind: 'tls', message: `The TLS handshake failed (${code}).` };
  }
  if (!sent) {
    if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return timedOut;
    return { kind: 'connect', message: connectMessages.get(code) ?? `The connection failed (${code}).` };
  }
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') {
    return { kind: 'protocol', message: 'The connection was closed before the answer was complete.' };
  }
  return { kind: 'protocol', message: `The answer is not valid HTTP (${code}).` };
}

/** The failure of a request that exceeded its deadline. */
export const timedOut: HttpFailure = { kind: 'timeout', message: 'There was no complete answer in time.' };

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
