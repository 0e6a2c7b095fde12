import { changesBetween } from '#core/kernel/audit/changes.js';
import { callsLeft } from '#core/kernel/limits/check.js';
import { perUser } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, count, list, nullable, object, text, uuid, withDefault } from '#core/kernel/schema/schema.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { exampleFactor } from '../../../examples.js';
import { presentFactor, Factor } from '../../../factors/resources.js';
import { countRecoveryCodes, replaceRecoveryCodes } from '../../../factors/recovery-codes.js';
import { openSecret } from '../../../factors/store.js';
import { stepOfCode } from '../../../factors/totp.js';
import { sendSecurityNotice } from '../../../mails/send.js';
import { accessToken, exampleAccessToken } from '../../../access-token.js';
import { endingChanges, endSessions } from '../../../sessions/end.js';
import { factors, type FactorRow } from '../../../tables/factor.js';
import { lockOwnUser } from '../../../users/find.js';
import type { Session } from '#core/runtime/database/session.js';
import type { SignInMethod } from '../../../tables/sign-in-methods.js';
import { sessions } from '../../../tables/session.js';

const name = 'auth.factor.totp.activate';
const limit = perUser({ name, max: 10, windowSeconds: 600, description: '10 per 10 minutes per user' });

export default defineOperation({
  name,
  summary:
    'Activates a TOTP factor with its first code and replaces any active factor. Recovery codes are returned once.',
  description:
    'From then on, every sign-in requires a code. A first factor comes with ten recovery codes. A replacement keeps the codes that are left, or returns ten new ones if none are left. The session that activates the factor counts as two-step immediately, and its tokens from their next refresh on. Other sessions are unchanged unless `endOtherSessions` ends them.',
  keywords: '2fa mfa two-step authenticator confirm enable backup codes',
  access: 'user',
  needs: { secondFactorIfActive: true, notImpersonated: true, withoutRequiredFactor: true },
  limits: [limit],
  showsSecret: 'stored encrypted',
  input: object({
    accessToken,
    factorId: uuid('The factor, from auth.factor.totp.enroll.'),
    code: text('The six digits that the app shows. White space is ignored.', { minLength: 1, maxLength: 32 }),
    endOtherSessions: withDefault(
      boolean('Whether to end the user’s other sessions, which have passed only one factor.'),
      false,
    ),
  }),
  output: object({
    factor: Factor,
    recoveryCodes: nullable(
      list(text(), 'Ten recovery codes. Each works for one sign-in without the app. Let the user save them.'),
    ),
    endedSessions: count('The number of other sessions that ended.'),
  }),
  errors: ['wrong_code', 'challenge_used', 'mfa_required'],
  events: ['auth.factor.activated', 'auth.factor.replaced', 'auth.session.revoked'],
  example: {
    input: { accessToken: exampleAccessToken, factorId: exampleFactor.id, code: '492039' },
    output: { factor: exampleFactor, recoveryCodes: ['7KQ2M-X9D4T', 'R3W8P-0HVNA'], endedSessions: 0 },
  },

  async handle(input, context) {
    const { factorId, code, endOtherSessions } = input;
    const { db, caller, clock, vault, fail, refuse, audit, emit } = context;
    const { userId, secondFactor, sessionFamilyId, label } = caller.user;
    const now = clock.now();
    const user = await lockOwnUser(db, caller);
    const row = await lockOwned(db, factors, caller, factorId);
    if (row.userId !== userId) throw fail.not_found({ ...factors.notFound });
    if (row.status === 'active') throw fail.challenge_used({ start: 'auth.factor.totp.enroll' });
    const replaced = await db.findOne(factors, { activeUserId: userId });
    if (replaced && !secondFactor) throw fail.mfa_required({ operation: name });
    const step = stepOfCode(openSecret(vault, row), code, now);
    if (step === null) {
      const attemptsLeft = (await callsLeft(limit, context, input)) ?? 0;
      return refuse.wrong_code({
        nextStep:
          attemptsLeft === 0
            ? 'Let the user try again in ten minutes; no attempts are left until then. If no code is accepted, check the phone’s clock.'
            : 'Let the user enter the code that the app shows now. If no code is accepted, check the phone’s clock.',
        details: { attemptsLeft },
      });
    }
    // The code that activates the factor is used up like a code of a sign-in.
    const active: FactorRow = { ...row, status: 'active', activeUserId: userId, activatedAt: now, lastStep: step };
    if (replaced) await db.remove(factors, { id: replaced.id });
    await db.update(
      factors,
      { id: row.id },
      { status: 'active', activeUserId: userId, activatedAt: now, lastStep: step },
    );
    const keepsCodes = replaced !== null && (await countRecoveryCodes(db, userId)) > 0;
    const recoveryCodes = keepsCodes ? null : await replaceRecoveryCodes(db, vault, user, now);
    await passSecondFactor(db, sessionFamilyId, 'totp');
    const ended = endOtherSessions
      ? await endSessions(context, caller.environment, { userId, except: sessionFamilyId }, 'revoked')
      : [];
    const factor = presentFactor(active);
    audit({
      subject: { type: 'user', id: userId },
      personId: userId,
      summary: `${replaced ? 'Replaced' : 'Activated'} the TOTP factor of ${label}.`,
      changes: [...changesBetween(presentFactor(row), factor, ['status', 'activatedAt']), ...endingChanges(ended)],
    });
    emit(replaced ? 'auth.factor.replaced' : 'auth.factor.activated', {
      subjectId: userId,
      personId: userId,
      data: { userId, factor },
    });
    await sendSecurityNotice(context, caller.environment, user, replaced ? 'factor_replaced' : 'factor_activated');
    return { factor, recoveryCodes, endedSessions: ended.length };
  },
});

/**
 * Marks a session as signed in with a second factor, by the method that passed it. Its tokens contain this from the
 * next refresh on.
 */
async function passSecondFactor(db: Session, sessionId: string, method: SignInMethod): Promise<void> {
  const session = await db.findOne(sessions, { id: sessionId });
  if (!session || session.mfa) return;
  await db.update(sessions, { id: sessionId }, { mfa: true, methods: [...session.methods, method] });
}
