import { Resolver } from 'node:dns/promises';
import { NameNotResolvedError } from './failure.js';

/** Resolves a host name to all of its addresses. An empty list or a rejection means that there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * Resolves names with c-ares. `dns.lookup` would block one of libuv's four threads until the name server answers, so
 * four customers with silent name servers would block all password hashing and file access. As a result, the hosts file
 * is not read: names of a private network need a name server.
 *
 * @returns the resolver, and `cancel`, which ends all pending queries
 */
export function createResolver(): { resolve: Resolve; cancel: () => void } {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return {
    cancel: () => resolver.cancel(),
    resolve: async (hostname) => {
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      // ESERVFAIL for one address family is more informative than ENODATA for the other.
      const codes = answers.map((answer) => (answer.status === 'rejected' ? errorCode(answer.reason) : 'ENODATA'));
      throw new NameNotResolvedError(codes.find((code) => code !== 'ENODATA') ?? 'ENODATA');
    },
  };
}

/** The code of a failed resolution, such as ENOTFOUND. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EUNKNOWN';
}
