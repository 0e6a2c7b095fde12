import { withheld } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { list, object, text } from '#core/kernel/schema/schema.js';
import { replaceRecoveryCodes } from '../../../factors/recovery-codes.js';
import { findActiveFactor } from '../../../factors/store.js';
import { sendSecurityNotice } from '../../../mails/send.js';
import { accessToken, exampleAccessToken } from '../../../access-token.js';
import { lockOwnUser } from '../../../users/find.js';

export default defineOperation({
  name: 'auth.factor.recovery.regenerate',
  summary: 'Creates ten new recovery codes for the signed-in user. The old ones stop working.',
  description: 'The codes are not shown again.',
  keywords: '2fa mfa two-step backup codes',
  access: 'user',
  impact: { destructive: true },
  needs: { recentSignIn: true, secondFactor: true, notImpersonated: true },
  showsSecret: 'stored encrypted',
  input: object({ accessToken }),
  output: object({ recoveryCodes: list(text(), 'Ten codes. Each works for one sign-in. Let the user save them.') }),
  errors: ['factor_not_active'],
  events: ['auth.factor.recovery_regenerated'],
  example: {
    input: { accessToken: exampleAccessToken },
    output: { recoveryCodes: ['7KQ2M-X9D4T', 'R3W8P-0HVNA'] },
  },

  async handle(_input, context) {
    const { db, caller, clock, vault, fail, audit, emit } = context;
    const { userId, label } = caller.user;
    const user = await lockOwnUser(db, caller);
    if (!(await findActiveFactor(db, userId))) throw fail.factor_not_active();
    const recoveryCodes = await replaceRecoveryCodes(db, vault, user, clock.now());
    audit({
      subject: { type: 'user', id: userId },
      personId: userId,
      summary: `Replaced the recovery codes of ${label}.`,
      changes: [{ field: 'recoveryCodes', from: withheld, to: withheld }],
    });
    emit('auth.factor.recovery_regenerated', { subjectId: userId, personId: userId, data: { userId } });
    await sendSecurityNotice(context, caller.environment, user, 'recovery_regenerated');
    return { recoveryCodes };
  },
});
