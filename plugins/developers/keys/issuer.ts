import { isTenant } from '#core/kernel/caller/caller.js';
import { publicPermission, limitToRole, permissionsOf } from '#core/kernel/caller/permissions.js';
import type { Context } from '#core/kernel/context.js';
import type { KeyIssuer } from '#core/kernel/ports.js';
import { madeEndpoints } from '../webhooks/endpoints.js';
import { insertKey } from './insert-key.js';
import { lowerAll } from './lower-all.js';
import { lowerKeys } from './lower-keys.js';
import { reloadCaller, stillHolds } from './reload-caller.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { findEnvironment, lockEnvironment } from '#core/kernel/environment/environment.js';
import { keys } from '../tables/key.js';
import { presentKey } from './resources.js';

/** The kernel's key issuer: works in the transaction that opens an environment, or lowers or removes a member. */
export function makeKeyIssuer(context: Context<'developers.key.updated', 'last_key'>): KeyIssuer {
  const { db, clock, caller } = context;
  const createdBy = isTenant(caller) || caller.kind === 'system' ? caller.label : 'account.signup';
  return {
    async issueFirst({ environment, permissions, role, memberId }) {
      const made = {
        createdBy,
        createdIp: caller.request.ip === '' ? null : caller.request.ip,
        createdAt: clock.now(),
      };
      const shared = { environment, allowedOrigins: null, role, memberId, ...made };
      const secret = await insertKey(db, {
        ...shared,
        name: 'First key',
        kind: 'secret',
        permissions: [...permissions],
      });
      const publishable = await insertKey(db, {
        ...shared,
        name: 'First publishable key',
        kind: 'publishable',
        permissions: [publicPermission],
      });
      return { secret: secret.plaintext, publishable: publishable.plaintext };
    },
    grantAll: (keyId) => grantAll(context, keyId),
    lowerKeys: (accountId, memberId) => lowerKeys(context, accountId, memberId),
    endpointsOf: (memberId) => madeEndpoints(db, { memberId }),
    lowerAll: (accountId) => lowerAll(context, accountId),
    reloadCaller: (stale, needs) => reloadCaller(context, stale, needs),
    stillHolds: (holder, environment, permission) => stillHolds(context, holder, environment, permission),
  };
}

/** See `KeyIssuer.grantAll`. */
async function grantAll(
  { db, clock, deployment, actIn, audit, emit }: Context<'developers.key.updated'>,
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
    unchanged: `the key “${after.name}” already had them.`,
  });
  if (changes.length > 0) {
    await db.update(keys, { id: keyId }, { permissions: after.permissions, updatedAt: clock.now() });
    emit('developers.key.updated', { subjectId: keyId, data: { key: presentKey(after) } });
  }
  return { name: after.name, permissions: after.permissions };
}
