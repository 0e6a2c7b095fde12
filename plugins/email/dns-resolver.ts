import { Resolver } from 'node:dns/promises';

/** A mail exchanger of a domain. */
export interface Exchanger {
  readonly host: string;
  readonly priority: number;
}

/** A DNS query failed: no answer in time, or a name server that failed. Does not tell whether the record exists. */
export class DnsFailure extends Error {
  override readonly name = 'DnsFailure';
  constructor(
    /** The queried name. */
    readonly hostname: string,
    /** c-ares's code, such as ETIMEOUT or ESERVFAIL. */
    readonly code: string,
  ) {
    super(`The lookup of ${hostname} failed: ${code}.`);
  }
}

/** Looks records up. A name without such records gives an empty list. */
export interface DnsResolver {
  /** TXT records, the strings of each joined (RFC 7208 §3.3). @throws DnsFailure */
  txt(hostname: string): Promise<string[]>;
  /** Mail exchangers, the most preferred first, in lower case. @throws DnsFailure */
  mx(hostname: string): Promise<Exchanger[]>;
  /** For libraries that expect `resolve` from node:dns/promises. Errors are passed through unchanged. */
  resolve(hostname: string, type: string): Promise<unknown>;
}

/** How long one attempt waits for a name server, and the number of attempts. */
const timeout = 3_000;
const tries = 2;

/**
 * Queries name servers with c-ares, which does not occupy libuv's threads.
 * @param servers addresses with or without a port (`192.0.2.1:5353`); if empty, the machine's name servers
 */
export function createDnsResolver(servers: readonly string[]): DnsResolver {
  const resolver = new Resolver({ timeout, tries });
  if (servers.length > 0) resolver.setServers(servers);
  return {
    txt: async (hostname) => (await found(hostname, resolver.resolveTxt(hostname))).map((strings) => strings.join('')),
    mx: async (hostname) =>
      (await found(hostname, resolver.resolveMx(hostname)))
        .map(({ exchange, priority }) => ({ host: withoutDot(exchange), priority }))
        .sort((a, b) => a.priority - b.priority || (a.host < b.host ? -1 : 1)),
    resolve: (hostname, type) => resolver.resolve(hostname, type),
  };
}

const withoutDot = (host: string): string => host.toLowerCase().replace(/\.$/, '');

/** The name does not exist, or has no records of the type. */
const absent = new Set(['ENOTFOUND', 'ENODATA']);

async function found<T>(hostname: string, answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
    if (absent.has(code)) return [];
    throw new DnsFailure(hostname, code);
  }
}
