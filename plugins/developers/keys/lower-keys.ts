import type { Role } from '#core/kernel/caller/caller.js';
import { roleRank } from '#core/kernel/caller/permissions.js';
import type { Context } from '#core/kernel/context.js';
import { lockEnvironments } from '#core/kernel/environment/environment.js';
import type { KeySummary, LoweredKey } from '#core/kernel/ports.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { keys, type KeyRow } from '../tables/key.js';
import { administration, assertNotLastKeys } from './rules.js';

/*
 * Keys belong to the account. If a member leaves or is lowered, the keys they created continue to send, but no longer
 * administer anything. The member may still know their plaintexts, so the audit record lists them for an owner to
 * rotate.
 */

/** The strongest role that such a key keeps. */
export const strongestRole: Role = 'developer';

/** See `KeyIssuer.lowerKeys`. */
export async function lowerKeys(
  context: Context<never, 'last_key'>,
  accountId: string,
  memberId: string,
): Promise<LoweredKey[]> {
  const { db } = context;
  await lockEnvironments(db, accountId);
  const before = (await db.find(keys, { memberId, kind: 'secret' })).filter((key) => key.revokedAt === null);
  const after = before.map((key) => lowered(key, [administration]));
  for (const environmentId of new Set(after.map((key) => key.environmentId)))
    await assertNotLastKeys(
      context,
      after.filter((key) => key.environmentId === environmentId),
    );
  await updateKeys(db, before);
  return before.map((key, index) => ({ before: summaryOf(key), after: summaryOf(after[index] ?? key) }));
}

/** A key after it is lowered. @param lost the permissions that it loses */
export const lowered = (key: KeyRow, lost: readonly string[]): KeyRow => ({
  ...key,
  role: isStronger(key) ? strongestRole : key.role,
  permissions: key.permissions.filter((each) => !lost.includes(each)),
});

const isStronger = ({ role }: KeyRow): boolean => roleRank(role) < roleRank(strongestRole);

async function updateKeys(db: Session, toLower: readonly KeyRow[]): Promise<void> {
  const stronger = toLower.filter(isStronger).map(({ id }) => idBytes(id));
  if (stronger.length > 0)
    await db.run('UPDATE developers_key SET role = ? WHERE id IN (?)', [Buffer.from(strongestRole), stronger]);
  const administering = toLower.filter((key) => key.permissions.includes(administration));
  if (administering.length > 0)
    await db.run(
      `UPDATE developers_key
       SET permissions = JSON_REMOVE(permissions, JSON_UNQUOTE(JSON_SEARCH(permissions, 'one', '${administration}')))
       WHERE id IN (?)`,
      [administering.map(({ id }) => idBytes(id))],
    );
}

/** For audit records. */
export const summaryOf = ({ id, name, environmentId, role, permissions }: KeyRow): KeySummary => ({
  id,
  name,
  environmentId,
  role,
  permissions,
});
