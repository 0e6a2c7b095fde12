import { defineOperation } from '#core/kernel/operation.js';
import { boolean, list, object, withDefault } from '#core/kernel/schema/schema.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { idBytes } from '#core/runtime/id.js';
import { presentKey, exampleKey, Key } from '../../keys/resources.js';
import { keys } from '../../tables/key.js';

export default defineOperation({
  name: 'developers.key.list',
  summary: 'Lists API keys with their prefix, permissions and last use. Never returns a plaintext or a hash.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ ...page, revoked: withDefault(boolean('Include revoked keys.'), false) }),
  output: object({ keys: list(Key), nextBefore }),
  example: { input: {}, output: { keys: [exampleKey], nextBefore: null } },

  async handle({ before, limit, revoked }, { db, caller }) {
    const query = db
      .select(keys, 'key')
      .where('key.environment_id = :environment', { environment: idBytes(caller.environment.id) });
    if (!revoked) query.andWhere('key.revoked_at IS NULL');
    const { rows, next } = await paged(query, 'key', 'environment', { before, limit });
    return { keys: rows.map(presentKey), nextBefore: next };
  },
});
