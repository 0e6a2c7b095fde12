import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Refusal } from '#core/kernel/errors/errors.js';
import { idForm } from '#core/runtime/id-form.js';
import { idBytes } from '#core/runtime/id.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { finishSignIn } from './complete.js';
import { requireAddress, targetOf, type ReturnTarget } from '../challenges/return-target.js';
import type { SignInMethod } from '../tables/sign-in-methods.js';
import type { SignInResultValue } from './result.js';
import { challenges, type ChallengeRow } from '../tables/challenge.js';
import type { UserRow } from '../tables/user.js';
import { isBanned } from '../users/ban.js';
import { lockUser } from '../users/find.js';
import { text } from '#core/kernel/schema/schema.js';

export const mfaToken = text('`mfa.mfaToken` from the reply to the first step.', { minLength: 1, maxLength: 200 });
export const exampleMfaToken =
  'svc_mfa_01890a5d-ac96-774b-bcce-b302099a9010.Yh3kT9wQ2mB7xR5vN8cL1pZ6sD4fG0jK3aE9uW2tHqM';

/** Tries for each mfaToken. */
const maxAttempts = 5;

type SecondStepCode = 'mfa_token_invalid' | 'wrong_code' | 'challenge_locked';
type SecondStepContext = Context<'auth.signin.completed' | 'auth.mfa.failed', SecondStepCode | 'user_banned'>;

/** A sign-in whose second step may be tried again. The try has already been counted. */
interface SecondStep {
  waiting: ChallengeRow;
  user: UserRow;
  /** The handoff as the second step requests it, otherwise as the first one did. */
  target: ReturnTarget;
  attemptsLeft: number;
}

const tokenForm = new RegExp(`^svc_mfa_(${idForm})\\.([A-Za-z0-9]{43})$`);

/**
 * Finds the sign-in that is waiting with an mfaToken, and counts a try against it before any code is checked, by one
 * conditional UPDATE: at most five tries, no matter how many calls are concurrent.
 * @returns the sign-in, or the refusal to return: user_banned
 * @throws mfa_token_invalid, challenge_locked
 */
export async function beginTry(
  context: SecondStepContext,
  environment: Environment,
  { mfaToken, handoff }: { mfaToken: string; handoff?: boolean },
): Promise<SecondStep | Refusal> {
  const { db, clock, emit, fail, refuse } = context;
  const [, id = '', secret = ''] = tokenForm.exec(mfaToken) ?? [];
  if (id === '') throw fail.mfa_token_invalid();
  const { affectedRows } = await db.run(
    `UPDATE auth_challenge SET attempts = attempts + 1 WHERE id = ? AND environment_id = ? AND purpose = 'second_factor'
       AND secret_digest = ? AND completed_at IS NULL AND expires_at > ? AND attempts < ?`,
    [idBytes(id), idBytes(environment.id), sha256(secret), clock.now(), maxAttempts],
  );
  const waiting = await db.findOne(challenges, { id, environmentId: environment.id, secretDigest: sha256(secret) });
  if (!waiting || waiting.purpose !== 'second_factor' || waiting.userId === null) throw fail.mfa_token_invalid();
  if (waiting.completedAt !== null || waiting.expiresAt <= clock.now()) throw fail.mfa_token_invalid();
  if (affectedRows === 0) throw fail.challenge_locked({ start: 'the first step of the sign-in' });
  const user = await lockUser(db, environment.id, waiting.userId);
  if (!user) throw fail.mfa_token_invalid();
  const step = { waiting, user, target: targetOf(waiting, handoff), attemptsLeft: maxAttempts - waiting.attempts };
  requireAddress(fail, step.target);
  if (!isBanned(user, clock.now())) return step;
  emitFailed(emit, environment, user.id, 'user_banned');
  return refuse.user_banned();
}

/** Signs in after the second step. The mfaToken is used up. */
export async function completeSecondStep(
  context: SecondStepContext,
  environment: Environment,
  { waiting, user, target }: SecondStep,
  method: SignInMethod,
): Promise<SignInResultValue> {
  const { db, clock } = context;
  await db.update(challenges, { id: waiting.id }, { completedAt: clock.now() });
  return finishSignIn(context, environment, {
    user,
    methods: [...waiting.methods, method],
    openedBy: waiting.openedBy,
    mfa: true,
    target,
  });
}

/** The refusal of a wrong code. Return it instead of throwing it, so that the counted try is committed. */
export function refuseCode(
  { emit, refuse }: SecondStepContext,
  environment: Environment,
  { user, attemptsLeft }: SecondStep,
  nextStep: string,
): Refusal {
  emitFailed(emit, environment, user.id, 'wrong_code');
  return refuse.wrong_code({
    nextStep: attemptsLeft > 0 ? nextStep : 'Let the user sign in again. This mfaToken accepts no more codes.',
    details: { attemptsLeft },
  });
}

/** The refusal of a user who entered too many wrong codes within a day. */
export function refuseUntil(
  { emit, refuse }: SecondStepContext,
  environment: Environment,
  { user }: SecondStep,
  until: Date,
): Refusal {
  emitFailed(emit, environment, user.id, 'challenge_locked');
  const start = `auth.mfa.recover with a recovery code; codes of the app are accepted again after ${until.toISOString()}`;
  return refuse.challenge_locked({ start });
}

const emitFailed = (
  emit: SecondStepContext['emit'],
  environment: Environment,
  userId: string,
  reason: SecondStepCode | 'user_banned',
): void => {
  emit('auth.mfa.failed', { subjectId: userId, personId: userId, data: { userId, reason } }, environment);
};
