import { defineOperation } from '#core/kernel/operation.js';
import { list, object } from '#core/kernel/schema/schema.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { idBytes } from '#core/runtime/id.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { examplePasskey } from '../../examples.js';
import { Passkey } from '../../passkeys/resources.js';
import { presentPasskey } from '../../passkeys/store.js';
import { passkeys } from '../../tables/passkey.js';

export default defineOperation({
  name: 'auth.passkey.list',
  summary: 'Lists the signed-in user’s passkeys, newest first.',
  keywords: 'webauthn fido credentials',
  access: 'user',
  impact: { read: true, retrySafe: true },
  input: object({ accessToken, ...page }),
  output: object({ passkeys: list(Passkey), nextBefore }),
  example: {
    input: { accessToken: exampleAccessToken },
    output: { passkeys: [examplePasskey], nextBefore: null },
  },

  async handle({ before, limit }, { db, caller }) {
    const query = db
      .select(passkeys, 'passkey')
      .where('passkey.user_id = :user', { user: idBytes(caller.user.userId) });
    const { rows, next } = await paged(query, 'passkey', 'user', { before, limit });
    return { passkeys: rows.map(presentPasskey), nextBefore: next };
  },
});
