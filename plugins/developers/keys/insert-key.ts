import type { Environment } from '#core/kernel/caller/caller.js';
import type { Session } from '#core/runtime/database/session.js';
import { newId } from '#core/runtime/id.js';
import { sha256, randomToken } from '#core/runtime/secrets/digest.js';
import { keys, type KeyRow } from '../tables/key.js';

/**
 * A new key (docs/interface.md, Access): `svc_live_` and 43 characters, or `svc_live_pk` and 40 characters. A secret
 * key whose random part starts with `pk` is drawn again, so that its form never reads as a publishable key.
 */
export function newPlaintext(kind: 'secret' | 'publishable', environmentKind: 'live' | 'test'): string {
  if (kind === 'publishable') return `svc_${environmentKind}_pk${randomToken(40)}`;
  for (;;) {
    const random = randomToken(43);
    if (!random.startsWith('pk')) return `svc_${environmentKind}_${random}`;
  }
}

/** The part of a key that may be shown later: its form and the first four random characters. */
export const prefixOf = (plaintext: string): string => /^svc_(live|test)_(pk)?.{4}/.exec(plaintext)?.[0] ?? '';

type NewKey = Pick<
  KeyRow,
  'name' | 'kind' | 'permissions' | 'allowedOrigins' | 'role' | 'memberId' | 'createdBy' | 'createdIp' | 'createdAt'
> & {
  environment: Pick<Environment, 'id' | 'kind'>;
  /** For a rotation: the lineage that the new key continues. */
  lineageId?: string;
};

/** Inserts a new key. @returns its row, and the plaintext to show once */
export async function insertKey(
  db: Session,
  { environment, lineageId, ...fields }: NewKey,
): Promise<{ row: KeyRow; plaintext: string }> {
  const plaintext = newPlaintext(fields.kind, environment.kind);
  const id = newId();
  const row: KeyRow = {
    ...fields,
    id,
    environmentId: environment.id,
    prefix: prefixOf(plaintext),
    digest: sha256(plaintext),
    lineageId: lineageId ?? id,
    updatedAt: null,
    lastUsedAt: null,
    revokedAt: null,
  };
  await db.insert(keys, row);
  return { row, plaintext };
}
