import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { requireKnownPermissions } from '#core/kernel/caller/known-permissions.js';
import { publicPermission } from '#core/kernel/caller/permissions.js';
import { defineOperation } from '#core/kernel/operation.js';
import { filledText, ifUnchangedSince, list, nullable, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { allowedOrigins, requireOrigins, requireRoleHolds } from '../../keys/input.js';
import { presentKey, exampleKey, Key, permission } from '../../keys/resources.js';
import { reloadCaller } from '../../keys/reload-caller.js';
import { administration, assertCallerHolds, assertNotLastKeys } from '../../keys/rules.js';
import { keys } from '../../tables/key.js';

export default defineOperation({
  name: 'developers.key.update',
  summary:
    'Changes a key’s name, permissions or origins. The key value is unchanged and nothing fails during the change.',
  access: 'secret',
  impact: { retrySafe: true },
  input: object(
    {
      keyId: uuid('The key to update.'),
      name: optional(filledText('Its new name.', 120)),
      permissions: optional(
        list(
          permission,
          'For secret keys: everything the key may do from now on. The role of a key does not change: permissions that it does not hold are refused.',
          { minItems: 1, uniqueItems: true },
        ),
      ),
      allowedOrigins: optional(nullable(allowedOrigins)),
      ifUnchangedSince,
    },
    { minProperties: 2 },
  ),
  output: object({ key: Key }),
  errors: ['permission_exceeds_caller', 'key_revoked', 'last_key'],
  events: ['developers.key.updated'],
  example: { input: { keyId: exampleKey.id, name: 'Shop backend' }, output: { key: exampleKey } },

  async handle({ keyId, name, permissions, allowedOrigins: origins, ifUnchangedSince: since }, context) {
    const { db, clock, deployment, fail, emit, audit } = context;
    await lockEnvironment(db, context.caller.environment.id);
    const caller = await reloadCaller(context, context.caller, {
      operation: 'developers.key.update',
      permission: administration,
    });
    const before = await findOwned(db, keys, caller, keyId);
    if (before.revokedAt) throw fail.key_revoked({ name: before.name });
    const changedAt = { updatedAt: before.updatedAt ?? before.createdAt };
    await requireUnchanged(context, since, changedAt, { type: 'key', id: keyId });
    if (permissions && before.kind === 'publishable')
      throw invalidField('permissions', 'cannot be changed for a publishable key');
    if (permissions?.includes(publicPermission))
      throw invalidField('permissions', `must not contain ${publicPermission}, which only publishable keys hold`);
    if (permissions) requireKnownPermissions(permissions, deployment.products);
    if (origins) requireOrigins(origins);
    if (origins && before.kind === 'secret') throw invalidField('allowedOrigins', 'is only for publishable keys');
    const after = {
      ...before,
      name: name ?? before.name,
      permissions: permissions ?? before.permissions,
      allowedOrigins: origins === undefined ? before.allowedOrigins : origins,
    };
    // Renaming a stronger key could pass it off as another one, so every change requires holding the key as it was.
    assertCallerHolds(caller, before, fail);
    assertCallerHolds(caller, after, fail);
    if (permissions) requireRoleHolds(before.role, permissions);
    await assertNotLastKeys(context, [after]);
    const changes = changesBetween(before, after, ['name', 'permissions', 'allowedOrigins']);
    audit({
      subject: { type: 'key', id: keyId },
      summary: `Changed the key “${after.name}”.`,
      changes,
      unchanged: `the key “${after.name}” already had these values.`,
    });
    if (changes.length === 0) return { key: presentKey(before) };
    const updatedAt = updateTime(changedAt, clock.now());
    const { name: newName, permissions: held, allowedOrigins: allowed } = after;
    await db.update(keys, { id: keyId }, { name: newName, permissions: held, allowedOrigins: allowed, updatedAt });
    const key = presentKey({ ...after, updatedAt });
    emit('developers.key.updated', { subjectId: keyId, data: { key } });
    return { key };
  },
});
