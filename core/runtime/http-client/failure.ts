/** Why a request had no answer. The message is fit for the customer's eyes: it names no address of ours or theirs. */
export interface HttpFailure {
  kind: 'url_not_allowed' | 'dns' | 'connect' | 'tls' | 'timeout' | 'protocol';
  message: string;
}

/** A name that resolved to, or a literal host that is, an address the rules refuse. */
export class AddressNotAllowedError extends Error {
  override readonly name = 'AddressNotAllowedError';
  constructor() {
    // Which address is not said: a private name's address is nothing to tell whoever asked about it.
    super('The host does not resolve to public addresses alone.');
  }
}

/** A name without addresses, or a name server without an answer. Its own codes (ECONNREFUSED) would look like dialling. */
export class NameNotResolvedError extends Error {
  override readonly name = 'NameNotResolvedError';
  constructor(code: string) {
    super(code === 'ENOTFOUND' || code === 'ENODATA' ? 'The host does not exist.' : `The host's DNS failed (${code}).`);
  }
}

/** Node's and OpenSSL's names for what goes wrong with certificates and handshakes. */
const tlsCode =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_(CA|PURPOSE)$|HOSTNAME_|EPROTO$)/;

/** What Node says, under the bare code ECONNRESET, when the other side hangs up during the handshake. */
const cutHandshake = 'before secure TLS connection was established';

const connectMessages = new Map([
  ['ECONNREFUSED', 'The connection was refused.'],
  ['ECONNRESET', 'The connection was reset.'],
  ['EHOSTUNREACH', 'The host cannot be reached.'],
  ['ENETUNREACH', 'The network of the host cannot be reached.'],
]);

/**
 * Sorts an error of the socket, TLS or undici into the few kinds that callers tell apart.
 *
 * @param error what undici reported
 * @param sent whether a connection stood and the request was on its way
 * @returns the kind and a sentence for people
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

/** The failure of every deadline. */
export const timedOut: HttpFailure = { kind: 'timeout', message: 'There was no complete answer in time.' };

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
