import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { isRefusal, type Refusal } from '#core/kernel/errors/errors.js';
import type { ChallengeRow } from '../tables/challenge.js';
import type { UserRow } from '../tables/user.js';
import { provingEvents, userOfProvenIdentity, type ProvingContext } from '../proofs/prove.js';
import { completeSignIn, type CompletionContext } from './complete.js';
import type { SignInMethod } from '../tables/sign-in-methods.js';
import type { ReturnTarget } from '../challenges/return-target.js';
import type { SignInResultValue } from './result.js';

type Completing = ProvingContext & CompletionContext;

/** The events and codes of operations that complete a code or a link. */
export const completionEvents = [
  'auth.signin.completed',
  'auth.signin.failed',
  'auth.mfa.required',
  ...provingEvents,
] as const;
export const completionErrors = ['signup_closed', 'signup_domain_blocked', 'user_banned'] as const;

/** Emits auth.signin.failed for an attempt that identified no user. */
export function emitFailure(
  { emit }: Context<'auth.signin.failed'>,
  environment: Environment,
  challenge: Pick<ChallengeRow, 'id'>,
  method: SignInMethod,
  reason: string,
): void {
  emit('auth.signin.failed', { subjectId: challenge.id, data: { method, reason, userId: null } }, environment);
}

/**
 * Continues after an address or number was proven: finds or creates its user and signs in. Only here does an answer
 * depend on which user has the address.
 * @param proven called with the user, before the sign-in continues
 * @returns the reply, or the refusal to return: signup_closed, signup_domain_blocked, user_banned
 * @throws rate_limited if there are too many new users
 */
export async function completeProof(
  context: Completing,
  environment: Environment,
  challenge: ChallengeRow,
  { method, target, proven }: { method: SignInMethod; target: ReturnTarget; proven?: (user: UserRow) => void },
): Promise<SignInResultValue | Refusal> {
  const { id, identityKind, identityKey, identityValue, locale, createdAt: startedAt } = challenge;
  if (identityKey === null || identityValue === null || (identityKind !== 'email' && identityKind !== 'phone'))
    throw new Error(`The challenge ${id} does not prove an address or number.`);
  const identity = { kind: identityKind, key: identityKey, value: identityValue, provider: null } as const;
  const found = await userOfProvenIdentity(context, environment, identity, { locale, startedAt });
  if (isRefusal(found)) {
    emitFailure(context, environment, challenge, method, found.refusal.code);
    return found;
  }
  proven?.(found.user);
  const { user, identityId: openedBy, changes } = found;
  return completeSignIn(context, environment, { user, method, openedBy, changes, challengeId: id, target });
}
