import type { Environment } from '#core/kernel/caller/caller.js';
import type { Change, Context } from '#core/kernel/context.js';
import type { Refusal } from '#core/kernel/errors/errors.js';
import { idBytes } from '#core/runtime/id.js';
import { openSession } from '../sessions/open.js';
import { noticeNewDevice } from '../sessions/new-device.js';
import { presentSession } from '../sessions/resources.js';
import { issueTokens } from '../sessions/tokens.js';
import type { UserRow } from '../tables/user.js';
import { isBanned } from '../users/ban.js';
import { presentUser } from '../users/resources.js';
import { readSignInFacts, type SignInFacts } from './facts.js';
import { issueHandoff } from './handoff.js';
import type { SignInMethod } from '../tables/sign-in-methods.js';
import { returnAddress, type ReturnTarget } from '../challenges/return-target.js';
import type { SignInResultValue } from './result.js';
import { awaitSecondFactor, type CompletionContext } from './second-factor.js';

export type { CompletionContext } from './second-factor.js';

interface FirstFactor {
  user: UserRow;
  /** If they were read together with the user. */
  facts?: SignInFacts;
  method: SignInMethod;
  /** The identity or passkey that was proven. */
  openedBy: string | null;
  /** What the proof has changed about the user, for the audit record. */
  changes?: readonly Change[];
  /** The method by itself counts as two factors: a passkey with user verification. */
  twoFactors?: boolean;
  target: ReturnTarget;
  /** The completed challenge, which auth.signin.failed is about. Without one, the event is about the user. */
  challengeId?: string;
}

/**
 * Continues after a first factor: requires the second one if the user has one, otherwise signs in.
 * @returns the reply, or the refusal to return: user_banned
 */
export async function completeSignIn(
  context: CompletionContext,
  environment: Environment,
  { user, facts: known, method, openedBy, changes = [], twoFactors = false, challengeId, target }: FirstFactor,
): Promise<SignInResultValue | Refusal> {
  const refusal = refuseSignIn(context, environment, user, method, challengeId);
  if (refusal) return refusal;
  const facts = known ?? (await readSignInFacts(context, environment, user.id));
  const { factors } = facts;
  const passed = { user, methods: [method], openedBy, changes, target };
  if (!twoFactors && factors.length > 0) return awaitSecondFactor(context, environment, { ...passed, factors });
  return finishSignIn(context, environment, { ...passed, facts, mfa: twoFactors });
}

interface PassedFactors {
  user: UserRow;
  /** If they were read already. */
  facts?: SignInFacts;
  /** In the order in which they were passed. */
  methods: SignInMethod[];
  openedBy: string | null;
  changes?: readonly Change[];
  mfa: boolean;
  target: ReturnTarget;
}

/**
 * Signs in after all factors: opens the session and answers with its tokens or, with `handoff`, with the address that
 * contains a code.
 */
export async function finishSignIn(
  context: Context<'auth.signin.completed'>,
  environment: Environment,
  { user, facts, methods, openedBy, changes = [], mfa, target }: PassedFactors,
): Promise<SignInResultValue> {
  const { db, clock, emit, audit } = context;
  const now = clock.now();
  const { settings, devices, signingKey, isCounted } = facts ?? (await readSignInFacts(context, environment, user.id));
  const session = await openSession(context, environment, { user, settings, methods, openedBy, mfa, isCounted });
  await db.defer({ sql: 'UPDATE auth_user SET last_sign_in_at = ? WHERE id = ?', parameters: [now, idBytes(user.id)] });
  const signedIn = { ...user, lastSignInAt: now };
  await noticeNewDevice(context, environment, signedIn, { session, devices });
  emit(
    'auth.signin.completed',
    { subjectId: session.id, personId: user.id, data: { session: presentSession(session) } },
    environment,
  );
  audit({
    subject: { type: 'user', id: user.id },
    summary: `Signed a user in (${methods.join(', ')}).`,
    changes: [{ field: 'methods', from: null, to: methods }, ...changes],
    personId: user.id,
  });
  const shown = { user: presentUser(signedIn, now), mfa: null };
  const redirectTo = returnAddress(target);
  if (target.handoff && redirectTo !== null)
    return {
      ...shown,
      status: 'handoff',
      user: null,
      tokens: null,
      redirectTo: await issueHandoff(context, session, redirectTo, target.appChallenge),
    };
  const tokens = await issueTokens(context, { session, user: signedIn, settings, orgRole: null, signingKey });
  return { ...shown, status: 'complete', tokens, redirectTo };
}

/** The refusal of a user who may not sign in; undefined if the user may. */
function refuseSignIn(
  { clock, emit, refuse }: CompletionContext,
  environment: Environment,
  user: UserRow,
  method: SignInMethod,
  challengeId = user.id,
): Refusal | undefined {
  if (!isBanned(user, clock.now())) return undefined;
  emit(
    'auth.signin.failed',
    { subjectId: challengeId, personId: user.id, data: { method, reason: 'user_banned', userId: user.id } },
    environment,
  );
  return refuse.user_banned();
}
