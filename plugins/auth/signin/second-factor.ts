import type { Environment } from '#core/kernel/caller/caller.js';
import type { Change, Context } from '#core/kernel/context.js';
import { minutes } from '../tables/lifetimes.js';
import { randomToken, sha256 } from '#core/runtime/secrets/digest.js';
import { shift } from '#core/runtime/clock.js';
import { newId } from '#core/runtime/id.js';
import { challenges } from '../tables/challenge.js';
import type { UserRow } from '../tables/user.js';
import type { SignInMethod } from '../tables/sign-in-methods.js';
import type { ReturnTarget } from '../challenges/return-target.js';
import type { SignInResultValue } from './result.js';

export type CompletionContext = Context<
  'auth.signin.completed' | 'auth.signin.failed' | 'auth.mfa.required',
  'user_banned'
>;

interface WaitingSignIn {
  user: UserRow;
  /** The methods that it has passed. */
  methods: SignInMethod[];
  /** The identity or passkey that was proven. */
  openedBy: string | null;
  /** What the proof has changed about the user, for the audit record. */
  changes?: readonly Change[];
  factors: ('totp' | 'recovery_code')[];
  target: ReturnTarget;
}

/** Stores a sign-in that is waiting for its second step. The mfaToken is `svc_mfa_<challenge id>.<secret>`. */
export async function awaitSecondFactor(
  { db, clock, emit, audit }: CompletionContext,
  environment: Environment,
  { user, methods, openedBy, changes = [], factors, target }: WaitingSignIn,
): Promise<SignInResultValue> {
  const now = clock.now();
  const id = newId();
  const secret = randomToken(43);
  await db.defer(
    challenges.insertRows([
      {
        id,
        environmentId: environment.id,
        purpose: 'second_factor',
        userId: user.id,
        identityKind: null,
        identityKey: null,
        identityValue: null,
        secretDigest: sha256(secret),
        webauthnChallenge: null,
        methods,
        openedBy,
        attempts: 0,
        ...target,
        locale: null,
        createdAt: now,
        expiresAt: shift(now, minutes.secondFactor * 60_000),
        completedAt: null,
      },
    ]),
  );
  emit('auth.mfa.required', { subjectId: user.id, personId: user.id, data: { userId: user.id, methods } }, environment);
  audit({
    subject: { type: 'user', id: user.id },
    summary: `A sign-in (${methods.join(', ')}) awaits its second factor.`,
    changes: [{ field: 'methods', from: null, to: methods }, ...changes],
    personId: user.id,
  });
  const mfaToken = `svc_mfa_${id}.${secret}`;
  return { status: 'mfa_required', tokens: null, user: null, mfa: { mfaToken, factors }, redirectTo: null };
}
