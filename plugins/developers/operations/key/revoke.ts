import { changesBetween } from '#core/kernel/audit/changes.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { presentKey, exampleKey, Key } from '../../keys/resources.js';
import { reloadCaller } from '../../keys/reload-caller.js';
import { administration, assertCallerHolds, assertNotLastKeys } from '../../keys/rules.js';
import { keys } from '../../tables/key.js';

export default defineOperation({
  name: 'developers.key.revoke',
  summary:
    'Revokes a key immediately. Refused for the last key in the environment that holds developers:write or every permission.',
  description:
    'Also refused for a key that holds permissions you do not hold, unless it is the key you are calling with.',
  keywords: 'API token delete disable',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ keyId: uuid('The key to revoke.') }),
  output: object({ key: Key }),
  errors: ['last_key', 'permission_exceeds_caller'],
  events: ['developers.key.revoked'],
  example: {
    input: { keyId: exampleKey.id },
    output: { key: { ...exampleKey, revokedAt: '2026-11-21T08:00:00.000Z' } },
  },

  async handle({ keyId }, context) {
    const { db, clock, fail, emit, audit } = context;
    await lockEnvironment(db, context.caller.environment.id);
    const caller = await reloadCaller(context, context.caller, {
      operation: 'developers.key.revoke',
      permission: administration,
    });
    const before = await findOwned(db, keys, caller, keyId);
    const revokedAt = before.revokedAt ?? clock.now();
    const after = { ...before, revokedAt };
    audit({
      subject: { type: 'key', id: keyId },
      summary: `Revoked the key “${before.name}”.`,
      changes: changesBetween(presentKey(before), presentKey(after), ['revokedAt']),
      unchanged: `the key “${before.name}” was already revoked.`,
    });
    if (before.revokedAt) return { key: presentKey(before) };
    // Anyone who has a key can make it useless anyway, by publishing it.
    if (keyId !== caller.id) assertCallerHolds(caller, before, fail);
    await assertNotLastKeys(context, [after]);
    await db.update(keys, { id: keyId }, { revokedAt });
    const key = presentKey(after);
    emit('developers.key.revoked', { subjectId: keyId, data: { key } });
    return { key };
  },
});
