import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { dummyHash, isOwn } from './argon2.js';
import { runHash } from './hash-pool.js';
import { standIn } from './schemes.js';

/** Whose turn a password takes: the caller's environment's, while its client waits. */
type Asker = Pick<TenantCaller, 'environment' | 'request'>;

/**
 * Hashes a new password with argon2id. Call it in `prepare`: it takes 10 ms and its turn in a queue.
 * @returns a PHC string
 * @throws unavailable where too many passwords wait
 */
export async function hashPassword({ environment, request }: Asker, password: string): Promise<string> {
  const reply = await runHash(environment.id, { hash: password }, request.isWaiting);
  if (!('hash' in reply)) throw new Error('A password was checked instead of hashed.');
  return reply.hash;
}

/**
 * Checks a password. Call it in `prepare`: it takes 10 ms (hashes of other systems up to a second) and its turn in a queue.
 * @param stored the stored hash; null where there is no user or no password, which takes as long as a wrong password
 * @param schemes of the environment (schemes.ts): a wrong password costs as much as all of them and svc's own, whichever the stored hash has
 * @returns whether it is right; `rehash` where another hash is to be stored in the stored one's place
 * @throws unavailable where too many passwords wait
 */
export async function verifyPassword(
  { environment, request }: Asker,
  stored: string | null,
  password: string,
  schemes: readonly string[] = [],
): Promise<{ readonly ok: boolean; readonly rehash?: string }> {
  const own = stored === null || isOwn(stored) ? null : standIn(stored);
  const others = schemes.filter((scheme) => scheme !== own);
  if (own !== null && schemes.length > 0) others.push(dummyHash);
  const reply = await runHash(environment.id, { verify: password, stored, others }, request.isWaiting);
  if (!('ok' in reply)) throw new Error('A password was hashed instead of checked.');
  return reply;
}
