import type { Environment } from '#core/kernel/caller/caller.js';
import type { Session } from '#core/runtime/database/session.js';
import { newId } from '#core/runtime/id.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { keys, type KeyRow } from '../tables/key.js';
import { newPlaintext, prefixOf } from './plaintext.js';

export type NewKey = Pick<
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
    lastUsedAt: null,
    revokedAt: null,
  };
  await db.insert(keys, row);
  return { row, plaintext };
}
