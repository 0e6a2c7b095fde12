import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { list, object } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleSigningKey } from '../../examples.js';
import { presentSigningKey, SigningKey } from '../../signing-keys/resources.js';
import { signingKeys } from '../../tables/signing-key.js';

export default defineOperation({
  name: 'auth.signingKey.list',
  summary: 'Lists the keys that sign access tokens, newest first, with their public halves only.',
  description:
    'Keys that are not retired are published at /auth/jwks/{environmentId}. The first key is created with the first token.',
  keywords: 'JWKS JWT public key kid verify offline',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ ...page }),
  output: object({ keys: list(SigningKey), nextBefore }),
  example: { input: {}, output: { keys: [exampleSigningKey], nextBefore: null } },

  async handle({ before, limit }, { db, caller, clock }) {
    const query = db
      .select(signingKeys, 'signing_key')
      .where('signing_key.environment_id = :environment', { environment: idBytes(caller.environment.id) });
    const { rows, next } = await paged(query, 'signing_key', 'environment', { before, limit });
    const now = clock.now();
    return { keys: rows.map((row) => presentSigningKey(row, now)), nextBefore: next };
  },
});
