import type { Statement } from '#core/runtime/database/statement.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { passwordSchemes } from '../tables/password-scheme.js';
import { isOwn } from './argon2.js';

/*
 * Hashes of other systems take up to a hundred times as long to check as svc's own. The difference can be measured, and
 * would reveal who has an account. So an environment remembers which algorithms its imported hashes use, and a failed
 * sign-in runs each of them once, no matter who it was for.
 */

/**
 * How many algorithms a failed sign-in runs in addition to svc's own: the latest of those that the environment has
 * imported.
 */
export const mostSchemes = 3;

const filled = (part: string): string => part.replace(/[^=]/g, /^[0-9a-f]+$/.test(part) ? '0' : 'A');

/**
 * A hash that costs as much as another one and belongs to nobody: salt and digest are replaced. Two hashes of one
 * algorithm with the same parameters give the same result.
 * @param hash one that parseHash reads
 */
export function standIn(hash: string): string {
  if (/\$2[aby]\$\d\d\$/.test(hash)) return `${hash.slice(0, -53)}${'a'.repeat(21)}u${'a'.repeat(31)}`;
  // Django writes scrypt's salt before its other parameters.
  const django = /^(scrypt\$\d+\$)([^$]+)(\$\d+\$\d+\$)([^$]+)$/.exec(hash);
  if (django) return [django[1], filled(django[2] ?? ''), django[3], filled(django[4] ?? '')].join('');
  return hash.replace(/([^$]+)\$([^$]+)$/, (_, salt: string, digest: string) => `${filled(salt)}$${filled(digest)}`);
}

/** Remembers the algorithms of hashes. @returns null if all are svc's own */
export function rememberStatement(environmentId: string, hashes: readonly string[], now: Date): Statement | null {
  const all = new Set(hashes.filter((hash) => !isOwn(hash)).map(standIn));
  if (all.size === 0) return null;
  const rows = [...all].map((hash) => ({ environmentId, digest: sha256(hash), hash, createdAt: now }));
  return passwordSchemes.upsertRows(rows, ['hash']);
}
