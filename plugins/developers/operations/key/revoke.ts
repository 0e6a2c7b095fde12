import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { exampleKey, Key } from '../../resources.js';
import { findKey, mustNotBeLast, presentKey } from '../../keys/keys.js';
import { keys } from '../../tables/key.js';

export default defineOperation({
  name: 'developers.key.revoke',
  summary: 'Revoke a key at once; refused for the last one that holds developers:write.',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ keyId: uuid('The key to revoke.') }),
  output: object({ key: Key }),
  errors: ['last_key'],
  events: ['developers.key.revoked'],
  example: {
    input: { keyId: exampleKey.id },
    output: { key: { ...exampleKey, revokedAt: '2026-11-21T08:00:00.000Z' } },
  },

  async handle({ keyId }, { db, caller, clock, fail, emit, audit }) {
    await lockEnvironment(db, caller.environment.id);
    const before = await findKey(db, caller, keyId, fail);
    audit({ subject: { type: 'key', id: keyId }, summary: `Revoked the key “${before.name}”.` });
    if (before.revokedAt) return { key: presentKey(before) };
    await mustNotBeLast(db, before, fail);
    const after = { ...before, revokedAt: clock.now() };
    await db.update(keys, { id: keyId }, { revokedAt: after.revokedAt });
    const key = presentKey(after);
    emit('developers.key.revoked', { subjectId: keyId, data: { key } });
    return { key };
  },
});
