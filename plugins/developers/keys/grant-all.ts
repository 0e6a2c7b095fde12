import { changesBetween } from '#core/kernel/audit/changes.js';
import { limitToRole, permissionsOf } from '#core/kernel/caller/permissions.js';
import type { Context } from '#core/kernel/context.js';
import { findEnvironment, lockEnvironment } from '#core/kernel/environment/environment.js';
import { keys } from '../tables/key.js';
import { presentKey } from './present.js';

/** See `KeyIssuer.grantAll`. */
export async function grantAll(
  { db, deployment, actIn, audit, emit }: Context<'developers.key.updated'>,
  keyId: string,
): Promise<{ name: string; permissions: readonly string[] } | null> {
  const found = await db.findOne(keys, { id: keyId });
  if (!found) return null;
  await lockEnvironment(db, found.environmentId);
  const environment = await findEnvironment(db, found.environmentId);
  const before = await db.findOne(keys, { id: keyId });
  if (!environment || !before || before.kind !== 'secret' || before.revokedAt) return null;
  const added = limitToRole(before.role, permissionsOf(deployment.products));
  const after = { ...before, permissions: [...new Set([...before.permissions, ...added])] };
  actIn(environment);
  const changes = changesBetween(before, after, ['permissions']);
  audit({
    operation: 'developers.key.update',
    subject: { type: 'key', id: keyId },
    summary: `The operator gave the key “${after.name}” every permission of its role.`,
    changes,
    unchanged: `the key “${after.name}” already has them.`,
  });
  if (changes.length > 0) {
    await db.update(keys, { id: keyId }, { permissions: after.permissions });
    emit('developers.key.updated', { subjectId: keyId, data: { key: presentKey(after) } });
  }
  return { name: after.name, permissions: after.permissions };
}
