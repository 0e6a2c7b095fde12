import { dayMs } from '#core/runtime/clock.js';
import type { DomainKeyRow } from '../tables/domain-key.js';

/**
 * How long to keep a key after a newer one replaced it. Mail that it signed may wait in the queues of other servers for
 * days (RFC 5321 §4.5.4.1).
 */
const keptMs = 7 * dayMs;

type Key = Pick<DomainKeyRow, 'selector' | 'algorithm'> & Partial<Pick<DomainKeyRow, 'resolved' | 'replacedAt'>>;

/** The number of a selector, such as 3 for `svc3`. Each key of a domain has a higher number than the keys before it. */
export const selectorNumber = (selector: string): number => Number(/\d+$/.exec(selector)?.[0] ?? 0);

const newestFirst = <K extends Key>(keys: readonly K[]): K[] =>
  [...keys].sort((one, other) => selectorNumber(other.selector) - selectorNumber(one.selector));

/** The keys that mail is signed with: for each algorithm, the newest whose record resolved. */
export const signingKeys = <K extends Key>(keys: readonly K[]): K[] =>
  (['rsa', 'ed25519'] as const).flatMap(
    (algorithm) => newestFirst(keys).find((key) => key.algorithm === algorithm && key.resolved === true) ?? [],
  );

/**
 * The key whose record the domain needs: the RSA key that signs, so that a new one is optional until its record exists.
 * If none signs, the one that signed last, or the first.
 */
export function requiredKey<K extends Key>(keys: readonly K[]): K | undefined {
  const rsa = newestFirst(keys.filter(({ algorithm }) => algorithm === 'rsa'));
  return signingKeys(rsa)[0] ?? rsa.findLast(({ replacedAt }) => !replacedAt);
}

/** The newest RSA key if its record has not resolved. */
export function unpublishedKey<K extends Key>(keys: readonly K[]): K | undefined {
  const [newest] = newestFirst(keys.filter(({ algorithm }) => algorithm === 'rsa'));
  return newest?.resolved === true ? undefined : newest;
}

/**
 * The keys after a check: keys older than the signing key are marked as replaced, starting now if they were not marked
 * before.
 * @param mayEnd whether keys may be deleted now
 * @returns the keys to keep, and the keys that were replaced long enough ago to be deleted
 */
export function rotateKeys(
  keys: readonly DomainKeyRow[],
  { now, mayEnd }: { now: Date; mayEnd: boolean },
): { kept: readonly DomainKeyRow[]; expired: readonly DomainKeyRow[] } {
  const signing = signingKeys(keys);
  const rotated = keys.map((key): DomainKeyRow => {
    const current = signing.find(({ algorithm }) => algorithm === key.algorithm);
    if (!current) return key;
    const isOlder = selectorNumber(key.selector) < selectorNumber(current.selector);
    // A time in the future was noted while the clock was ahead.
    const since = key.replacedAt && key.replacedAt <= now ? key.replacedAt : now;
    return { ...key, replacedAt: isOlder ? since : null };
  });
  const isExpired = ({ replacedAt, algorithm }: DomainKeyRow): boolean =>
    mayEnd &&
    replacedAt !== null &&
    now.getTime() - replacedAt.getTime() >= keptMs &&
    signing.some((key) => key.algorithm === algorithm);
  return { kept: rotated.filter((key) => !isExpired(key)), expired: rotated.filter(isExpired) };
}
