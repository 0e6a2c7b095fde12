import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, text, uuid } from '#core/kernel/schema/schema.js';
import { insertKey } from '../../keys/insert-key.js';
import { presentKey, exampleKey, Key } from '../../keys/resources.js';
import { reloadCaller } from '../../keys/reload-caller.js';
import { administration, assertCallerHolds } from '../../keys/rules.js';
import { keys } from '../../tables/key.js';

export default defineOperation({
  name: 'developers.key.rotate',
  summary:
    'Issues a new key with the same name and permissions and revokes the old one in one transaction. The old key stops working immediately.',
  keywords: 'API token leaked compromised renew',
  access: 'secret',
  impact: { destructive: true },
  showsSecret: 'stored encrypted',
  input: object({ keyId: uuid('The key to replace.') }),
  output: object({
    key: Key,
    plaintext: text('The new key. It is not shown again.'),
    revokedKeyId: uuid('The key that was revoked.'),
  }),
  errors: ['key_revoked', 'permission_exceeds_caller'],
  events: ['developers.key.rotated'],
  example: {
    input: { keyId: '01890a5d-ac96-774b-bcce-b302099a8056' },
    output: {
      key: exampleKey,
      plaintext: 'svc_test_9fKqH2v7Lw0XcYt5RbNz8mQaJd3EsPg6UiTo1CkVxWy',
      revokedKeyId: '01890a5d-ac96-774b-bcce-b302099a8056',
    },
  },

  async handle({ keyId }, context) {
    const { db, clock, fail, emit, audit } = context;
    await lockEnvironment(db, context.caller.environment.id);
    const caller = await reloadCaller(context, context.caller, {
      operation: 'developers.key.rotate',
      permission: administration,
    });
    const old = await findOwned(db, keys, caller, keyId);
    if (old.revokedAt) throw fail.key_revoked({ name: old.name });
    assertCallerHolds(caller, old, fail);
    const now = clock.now();
    await db.update(keys, { id: keyId }, { revokedAt: now });
    const { name, kind, permissions, allowedOrigins, role, lineageId } = old;
    const { row, plaintext } = await insertKey(db, {
      environment: caller.environment,
      name,
      kind,
      permissions,
      allowedOrigins,
      role,
      memberId: caller.memberId,
      lineageId,
      createdBy: caller.label,
      createdIp: caller.request.ip,
      createdAt: now,
    });
    const key = presentKey(row);
    audit({
      subject: { type: 'key', id: row.id },
      summary: `Rotated the key “${name}”.`,
      changes: [{ field: 'id', from: keyId, to: row.id }],
    });
    emit('developers.key.rotated', { subjectId: row.id, data: { key, revokedKeyId: keyId } });
    return { key, plaintext, revokedKeyId: keyId };
  },
});
