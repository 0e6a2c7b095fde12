import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, oneOf, optional } from '#core/kernel/schema/schema.js';
import { shift } from '#core/runtime/clock.js';
import { exampleSigningKey } from '../../examples.js';
import { activeKey, firstAlgorithm, jwksCacheSeconds, longestTokenSeconds } from '../../signing-keys/active.js';
import { makeSigningKey } from '../../signing-keys/keys.js';
import { presentSigningKey, SigningKey } from '../../signing-keys/resources.js';
import { signingAlgorithms, signingKeys, type SigningKeyRow } from '../../tables/signing-key.js';

export default defineOperation({
  name: 'auth.signingKey.rotate',
  summary:
    'Starts signing access tokens with a new key. The old key stays published until the last token it signed has expired.',
  description:
    'The new key is published immediately and signs from `signsFrom` on, five minutes later, when every cached key set contains it. If the old key may be ' +
    'compromised, retire it with auth.signingKey.retire afterwards: the new key then signs immediately.',
  keywords: 'JWKS JWT renew replace algorithm RSA ECDSA Ed25519',
  access: 'secret',
  impact: { destructive: true },
  input: object({
    algorithm: optional(
      oneOf(signingAlgorithms, 'The algorithm of the new key. Default: the algorithm of the current key.'),
    ),
  }),
  output: object({ key: SigningKey, previous: SigningKey }),
  events: ['auth.signing_key.rotated'],
  example: {
    input: { algorithm: 'ES256' },
    output: {
      key: { ...exampleSigningKey, signsFrom: '2026-11-20T09:35:00.000Z' },
      previous: {
        ...exampleSigningKey,
        keyId: '01890a5d-ac96-774b-bcce-b302099a9009',
        status: 'published',
        retiresAt: '2026-11-20T10:30:00.000Z',
      },
    },
  },

  // Generating an RSA key takes a tenth of a second or more, so it does not run in a transaction.
  async prepare({ algorithm }, { db, caller, vault, clock }) {
    const { id: environmentId } = caller.environment;
    const present = await db.findOne(signingKeys, { activeEnvironmentId: environmentId });
    const now = clock.now();
    // Nobody has the key set of an environment without a key.
    const signsFrom = present ? shift(now, jwksCacheSeconds * 1000) : null;
    return makeSigningKey(vault, environmentId, algorithm ?? present?.algorithm ?? firstAlgorithm, now, signsFrom);
  },

  async handle(_input, context) {
    const { db, caller, clock, audit, emit, prepared } = context;
    const { id: environmentId } = caller.environment;
    await lockEnvironment(db, environmentId);
    const now = clock.now();
    const old = await activeKey(context, environmentId);
    const previous: SigningKeyRow = {
      ...old,
      activeEnvironmentId: null,
      status: 'published',
      retiresAt: shift(now, (jwksCacheSeconds + longestTokenSeconds) * 1000),
    };
    const { activeEnvironmentId, status, retiresAt } = previous;
    await db.update(signingKeys, { id: old.id }, { activeEnvironmentId, status, retiresAt });
    await db.insert(signingKeys, prepared);
    const shown = { key: presentSigningKey(prepared, now), previous: presentSigningKey(previous, now) };
    audit({
      subject: { type: 'signing_key', id: prepared.id },
      summary: `Rotated the signing key; the new one signs with ${prepared.algorithm}.`,
      changes: [
        { field: 'keyId', from: old.id, to: prepared.id },
        ...(old.algorithm === prepared.algorithm
          ? []
          : [{ field: 'algorithm', from: old.algorithm, to: prepared.algorithm }]),
      ],
    });
    emit('auth.signing_key.rotated', { subjectId: prepared.id, data: shown });
    return shown;
  },
});
