import type { Clock } from '#core/runtime/clock.js';
import { refusalOf } from '../errors/common.js';
import type { Operation } from '../operation.js';
import { isTenant, type Caller, type SignedInUser } from '../caller/caller.js';
import type { Authenticator } from '../caller/authenticator.js';

/** How long a sign-in counts as recent. */
export const recentMinutes = 10;

function accessTokenIn(input: unknown): string | undefined {
  const token: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'accessToken') : undefined;
  return typeof token === 'string' ? token : undefined;
}

/**
 * Adds the end user behind the input's `accessToken`: required if access is `user`, optional for publishable operations
 * that accept one.
 * @throws token_invalid, and the errors of `findUserSession`
 */
export async function resolveUser(
  { access }: Operation,
  caller: Caller,
  input: unknown,
  lookup: Authenticator,
): Promise<Caller> {
  if (!isTenant(caller) || (access !== 'user' && access !== 'publishable')) return caller;
  const token = accessTokenIn(input);
  if (token === undefined && access === 'publishable') return caller;
  const user = token === undefined ? null : ((await lookup.findUserSession?.(token, caller.environment)) ?? null);
  if (!user) throw refusalOf.token_invalid();
  return { ...caller, user };
}

/** Whether the user signed in within the last 10 minutes, for operations that require it only in some cases. */
export const hasRecentSignIn = ({ signedInAt }: SignedInUser, clock: Clock): boolean =>
  clock.now().getTime() - signedInAt.getTime() < recentMinutes * 60_000;

/**
 * Checks the operation's requirements on the user's session.
 * @throws impersonation_forbidden, mfa_required, reauth_required
 */
export function checkNeeds({ name: operation, needs }: Operation, caller: Caller, clock: Clock): void {
  if (!isTenant(caller) || !caller.user) return;
  const { user } = caller;
  if (user.lacksRequiredFactor && !needs?.withoutRequiredFactor) throw refusalOf.mfa_required({ operation });
  if (!needs) return;
  if (needs.notImpersonated && user.impersonator) throw refusalOf.impersonation_forbidden({ operation });
  if ((needs.secondFactor && !user.secondFactor) || (needs.secondFactorIfActive && user.lacksActiveFactor))
    throw refusalOf.mfa_required({ operation });
  if (needs.recentSignIn && !hasRecentSignIn(user, clock))
    throw refusalOf.reauth_required({ operation, minutes: recentMinutes });
}
