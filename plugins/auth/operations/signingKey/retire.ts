import { changesBetween } from '#core/kernel/audit/changes.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { exampleSigningKey } from '../../examples.js';
import { presentSigningKey, SigningKey } from '../../signing-keys/resources.js';
import { signingKeys, type SigningKeyRow } from '../../tables/signing-key.js';

export default defineOperation({
  name: 'auth.signingKey.retire',
  summary: 'Removes an old key from the published set immediately. Tokens that it signed no longer verify.',
  description:
    'svc rejects the key’s tokens from now on. A server that checks tokens offline may cache the published set for up to five minutes. Sessions continue: their ' +
    'next refresh signs with the active key.',
  keywords: 'JWKS JWT leaked compromised revoke remove',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ keyId: uuid('The key to retire: the `kid` of its tokens.') }),
  output: object({ key: SigningKey }),
  errors: ['signing_key_active'],
  events: ['auth.signing_key.retired'],
  example: {
    input: { keyId: '01890a5d-ac96-774b-bcce-b302099a9009' },
    output: {
      key: {
        ...exampleSigningKey,
        keyId: '01890a5d-ac96-774b-bcce-b302099a9009',
        status: 'retired',
        retiresAt: '2026-11-20T10:30:00.000Z',
      },
    },
  },

  async handle({ keyId }, context) {
    const { db, caller, clock, fail, audit, emit } = context;
    await lockEnvironment(db, caller.environment.id);
    const row = await findOwned(db, signingKeys, caller, keyId);
    if (row.status === 'active') throw fail.signing_key_active();
    const now = clock.now();
    const before = presentSigningKey(row, now);
    const retired: SigningKeyRow =
      before.status === 'retired' ? row : { ...row, status: 'retired', retiresAt: now, privateKey: null };
    const key = presentSigningKey(retired, now);
    audit({
      subject: { type: 'signing_key', id: keyId },
      summary: 'Retired a signing key: tokens that it signed no longer verify.',
      changes: changesBetween(before, key, ['status', 'retiresAt']),
      unchanged: 'the key was already retired.',
    });
    if (before.status === 'retired') return { key };
    await db.update(signingKeys, { id: keyId }, { status: 'retired', retiresAt: now, privateKey: null });
    emit('auth.signing_key.retired', { subjectId: keyId, data: { key } });
    return { key };
  },
});
