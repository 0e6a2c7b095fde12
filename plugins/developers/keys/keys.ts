import type { Environment, Role, TenantCaller } from '#core/kernel/caller/caller.js';
import { roleHolds, roleRank } from '#core/kernel/caller/permissions.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Session } from '#core/runtime/database/session.js';
import { newId } from '#core/runtime/id.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import type { Key } from '../resources.js';
import { keys, type KeyRow } from '../tables/key.js';
import { newKeyText, prefixOf } from './key-text.js';

/** A key as replies and events carry it: never its plaintext or digest. */
export const presentKey = (row: KeyRow): ValueOf<typeof Key> => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  prefix: row.prefix,
  permissions: row.permissions,
  environmentId: row.environmentId,
  allowedOrigins: row.allowedOrigins,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
});

export type NewKey = Pick<
  KeyRow,
  'name' | 'kind' | 'permissions' | 'allowedOrigins' | 'role' | 'memberId' | 'createdBy' | 'createdAt'
> & {
  environment: Pick<Environment, 'id' | 'kind'>;
  /** For a rotation: the line the new key continues. */
  lineageId?: string;
};

/** Writes a new key. @returns its row and its plaintext, which is shown once */
export async function insertKey(
  db: Session,
  { environment, lineageId, ...facts }: NewKey,
): Promise<{ row: KeyRow; plaintext: string }> {
  const plaintext = newKeyText(facts.kind, environment.kind);
  const id = newId();
  const row: KeyRow = {
    ...facts,
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

/** @throws not_found for another environment's key, exactly as for one that does not exist */
export async function findKey(
  db: Session,
  caller: TenantCaller,
  keyId: string,
  fail: ErrorMakers<'not_found', SvcError>,
): Promise<KeyRow> {
  const row = await db.findOne(keys, { id: keyId, environmentId: caller.environment.id });
  if (!row) throw fail.not_found({ thing: 'key', lookup: 'developers.key.list' });
  return row;
}

/**
 * Nobody makes, changes or rotates a key that holds more than they do: neither a permission nor a role. Publishable keys hold nothing
 * that needs holding.
 * @throws permission_exceeds_caller naming what is lacking
 */
export function mustHold(
  caller: TenantCaller,
  key: { kind: KeyRow['kind']; permissions: readonly string[]; role: Role },
  fail: ErrorMakers<'permission_exceeds_caller', SvcError>,
): void {
  if (key.kind === 'publishable') return;
  const lacking = key.permissions.filter((permission) => !caller.permissions.has(permission));
  if (lacking.length > 0) throw fail.permission_exceeds_caller({ permissions: lacking.join(', ') });
  if (roleRank(key.role) < roleRank(caller.role))
    throw fail.permission_exceeds_caller({ permissions: `the role ${key.role}` });
}

const administers = (row: KeyRow): boolean =>
  row.revokedAt === null && row.permissions.includes('developers:write') && roleHolds(row.role, 'developers:write');

/**
 * Would the environment be left without a key that holds developers:write? Call it with the environment locked.
 * @throws last_key
 */
export async function mustNotBeLast(db: Session, key: KeyRow, fail: ErrorMakers<'last_key', SvcError>): Promise<void> {
  if (!administers(key)) return;
  const live = await db.find(keys, { environmentId: key.environmentId, kind: 'secret' });
  if (!live.some((other) => other.id !== key.id && administers(other))) throw fail.last_key({ name: key.name });
}
