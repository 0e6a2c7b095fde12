import type { Clock } from '#core/runtime/clock.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { refusalOf } from '../errors/common.js';
import { SvcError } from '../errors/errors.js';
import { addressGroup } from '../limits/address-group.js';
import type { TenantCaller } from '../caller/caller.js';
import type { Authenticator } from '../caller/authenticator.js';
import { resolveBearer, type CallCredentials } from './resolve.js';

/** The largest number of different invalid bearers that one client address may present in a window. */
const maxFailures = 100;
const windowMs = 60_000;
/** Client addresses, and accepted bearers, that are remembered; the oldest are forgotten first. */
const maxRemembered = 10_000;

/** The refusal of an invalid key, and of an invalid or ended dashboard session. */
const invalidCodes = new Set(['unauthenticated', 'token_invalid']);

interface Failures {
  bearers: Set<string>;
  endsAt: number;
}

/** Resolves the bearer of a request into its caller. @throws as `resolveBearer`; rate_limited for the client address */
export type BearerResolver = (credentials: CallCredentials) => Promise<TenantCaller>;

/**
 * Refuses to look bearers up for a client address that presented 100 different invalid ones in a minute. Those that
 * this process has accepted before still pass, so that programs behind the same address keep working. A program that
 * repeats one revoked key counts once.
 *
 * Counted in memory, per process: the limit protects this process's own lookups, before anything is known about the
 * caller. A count in the database would cost more than the lookup that it saves, and no promise to callers depends on
 * it.
 * @param enabled the deployment's products
 */
export function createBearerResolver(lookup: Authenticator, enabled: readonly string[], clock: Clock): BearerResolver {
  const failures = new Map<string, Failures>();
  const accepted = new Set<string>();

  const failuresOf = (address: string): Failures | undefined => {
    const found = failures.get(address);
    if (!found || found.endsAt > clock.now().getTime()) return found;
    failures.delete(address);
    return undefined;
  };
  const recordFailure = (address: string, bearer: string): void => {
    const known = failuresOf(address) ?? { bearers: new Set(), endsAt: clock.now().getTime() + windowMs };
    known.bearers.add(bearer);
    failures.set(address, known);
    forgetOldest(failures);
  };

  return async (credentials) => {
    const { bearer = '', request } = credentials;
    if (bearer === '') return resolveBearer(credentials, lookup, enabled);
    const address = addressGroup(request.ip);
    const bytes = sha256(bearer);
    const digest = bytes.toString('base64');
    const known = failuresOf(address);
    if (known && known.bearers.size >= maxFailures && !accepted.has(digest)) {
      const seconds = Math.max(1, Math.ceil((known.endsAt - clock.now().getTime()) / 1000));
      throw refusalOf.rate_limited({ limit: `${maxFailures} invalid keys per minute per IP address`, seconds });
    }
    try {
      const caller = await resolveBearer({ ...credentials, digest: bytes }, lookup, enabled);
      accepted.add(digest);
      forgetOldest(accepted);
      return caller;
    } catch (error) {
      if (error instanceof SvcError && invalidCodes.has(error.code)) recordFailure(address, digest);
      throw error;
    }
  };
}

/** Sets and maps keep the order of insertion. */
function forgetOldest(remembered: Set<string> | Map<string, unknown>): void {
  if (remembered.size <= maxRemembered) return;
  for (const oldest of remembered.keys()) {
    remembered.delete(oldest);
    return;
  }
}
