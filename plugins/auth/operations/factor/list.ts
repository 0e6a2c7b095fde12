import { defineOperation } from '#core/kernel/operation.js';
import { count, list, object } from '#core/kernel/schema/schema.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleFactor } from '../../examples.js';
import { presentFactor, Factor } from '../../factors/resources.js';
import { countRecoveryCodes } from '../../factors/recovery-codes.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { factors } from '../../tables/factor.js';

export default defineOperation({
  name: 'auth.factor.list',
  summary: 'Lists the signed-in user’s second factors, newest first, with the number of recovery codes left.',
  description: 'A pending factor has been enrolled, but its first code has not been entered yet.',
  keywords: '2fa mfa two-step authenticator totp',
  access: 'user',
  impact: { read: true, retrySafe: true },
  input: object({ accessToken, ...page }),
  output: object({
    factors: list(Factor),
    recoveryCodesLeft: count('The number of unused recovery codes.'),
    nextBefore,
  }),
  example: {
    input: { accessToken: exampleAccessToken },
    output: { factors: [exampleFactor], recoveryCodesLeft: 10, nextBefore: null },
  },

  async handle({ before, limit }, { db, caller }) {
    const { userId } = caller.user;
    const query = db.select(factors, 'factor').where('factor.user_id = :user', { user: idBytes(userId) });
    const { rows, next } = await paged(query, 'factor', 'user', { before, limit });
    return {
      factors: rows.map(presentFactor),
      recoveryCodesLeft: await countRecoveryCodes(db, userId),
      nextBefore: next,
    };
  },
});
