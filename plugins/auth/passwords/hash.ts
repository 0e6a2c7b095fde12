import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { dummyHash, isOwn } from './argon2.js';
import { runHash } from './hash-pool.js';
import { standIn } from './schemes.js';

/** The caller whose environment takes the turn for a password, while its client is waiting. */
type Asker = Pick<TenantCaller, 'environment' | 'request'>;

/**
 * Hashes a new password with argon2id. Call it in `prepare`: it takes 10 ms and waits for its turn in a queue.
 * @returns a PHC string
 * @throws unavailable if too many passwords are waiting
 */
export async function hashPassword({ environment, request }: Asker, password: string): Promise<string> {
  const reply = await runHash(environment.id, { hash: password }, request.isWaiting);
  if (!('hash' in reply)) throw new Error('A password was checked instead of hashed.');
  return reply.hash;
}

/**
 * Checks a password. Call it in `prepare`: it takes 10 ms (hashes of other systems up to a second) and waits for its
 * turn in a queue.
 * @param stored the stored hash; null if there is no user or no password, which takes as long as a wrong password
 * @param schemes the environment's schemes (schemes.ts): a wrong password costs as much as all of them together with
 *   svc's own, no matter which of them the stored hash uses
 * @returns whether it is right; `rehash` if another hash must replace the stored one
 * @throws unavailable if too many passwords are waiting
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
