import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { exampleFactor } from '../../examples.js';
import { presentFactor, Factor } from '../../factors/resources.js';
import { findActiveFactor } from '../../factors/store.js';
import { sendSecurityNotice } from '../../mails/send.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { factors } from '../../tables/factor.js';
import { recoveryCodes } from '../../tables/recovery-code.js';
import { lockOwnUser } from '../../users/find.js';
import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { loadSettings } from '../../settings/load.js';

const name = 'auth.factor.remove';

export default defineOperation({
  name,
  summary: 'Removes the second factor. Requires a session that passed two-step sign-in.',
  description:
    'Also removes the recovery codes. The factor cannot be removed while the environment (mfa.required) or an organization of the user (requireMfa) requires one; replace it instead. If no factor is active, a pending one can be removed with only a recent sign-in.',
  keywords: '2fa mfa two-step disable delete authenticator',
  access: 'user',
  impact: { destructive: true },
  needs: { recentSignIn: true, secondFactorIfActive: true, notImpersonated: true },
  input: object({ accessToken, factorId: uuid('The factor to remove.') }),
  output: object({ factor: Factor }),
  errors: ['factor_required', 'mfa_required'],
  events: ['auth.factor.removed'],
  example: {
    input: { accessToken: exampleAccessToken, factorId: exampleFactor.id },
    output: { factor: exampleFactor },
  },

  async handle({ factorId }, context) {
    const { db, caller, clock, fail, audit, emit } = context;
    const { userId, label, secondFactor } = caller.user;
    const user = await lockOwnUser(db, caller);
    const row = await lockOwned(db, factors, caller, factorId);
    if (row.userId !== userId) throw fail.not_found({ ...factors.notFound });
    const isActive = row.status === 'active';
    // As when enrolling: a user without an active factor has nothing that the session could have passed.
    if (!secondFactor && (isActive || (await findActiveFactor(db, userId))))
      throw fail.mfa_required({ operation: name });
    if (isActive) await requireNoFactorRule(context, caller.environment.id, userId);
    await db.remove(factors, { id: factorId });
    if (isActive) await db.remove(recoveryCodes, { userId });
    const factor = presentFactor(row);
    audit({
      subject: { type: 'user', id: userId },
      personId: userId,
      summary: `Removed the ${isActive ? '' : 'pending '}TOTP factor of ${label}.`,
      changes: [{ field: 'removedAt', from: null, to: clock.now().toISOString() }],
    });
    if (!isActive) return { factor };
    emit('auth.factor.removed', { subjectId: userId, personId: userId, data: { userId, factor } });
    await sendSecurityNotice(context, caller.environment, user, 'factor_removed');
    return { factor };
  },
});

/**
 * Refuses to leave a user without a second factor if one is required, no matter which organization is active in the
 * session.
 * @throws factor_required
 */
async function requireNoFactorRule(
  { db, fail }: Pick<Context<never, 'factor_required'>, 'db' | 'fail'>,
  environmentId: string,
  userId: string,
): Promise<void> {
  const settings = await loadSettings(db, environmentId);
  if (settings.mfa.required) throw fail.factor_required({ who: 'The environment' });
  const [organization] = await db.rows<{ name: string }>(
    `SELECT o.name FROM auth_org_member m JOIN auth_organization o ON o.id = m.organization_id
     WHERE m.user_id = ? AND o.require_mfa = 1 LIMIT 1`,
    [idBytes(userId)],
  );
  if (organization) throw fail.factor_required({ who: `The organization “${organization.name}”` });
}
