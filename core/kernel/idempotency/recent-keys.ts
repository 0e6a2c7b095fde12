import type { IdempotencyKey } from './key.js';

const maxRemembered = 10_000;

/** The idempotency keys that this process answered last. */
interface RecentKeys {
  add(key: IdempotencyKey): void;
  has(key: IdempotencyKey): boolean;
}

/**
 * Most keys are new, so a call claims its key without first checking for a stored answer. A repeat mostly reaches the
 * process that answered the first call, which remembers the key and reads the stored answer immediately; in other
 * processes the claim fails first.
 */
export function createRecentKeys(): RecentKeys {
  const names = new Set<string>();
  const nameOf = ({ id }: IdempotencyKey): string => id.toString('latin1');
  return {
    add(key) {
      const name = nameOf(key);
      names.delete(name);
      names.add(name);
      const [oldest] = names;
      if (names.size > maxRemembered && oldest !== undefined) names.delete(oldest);
    },
    has: (key) => names.has(nameOf(key)),
  };
}
