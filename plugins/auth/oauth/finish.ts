import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { isRefusal, type Refusal } from '#core/kernel/errors/errors.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import { findActiveFactor } from '../factors/store.js';
import { capReached } from '../identities/cap.js';
import { emailIdentity, type IdentityFacts } from '../identities/normalize.js';
import { hasProvenOrigin } from '../identities/origin.js';
import { presentIdentity } from '../identities/resources.js';
import { loadSettings } from '../settings/load.js';
import { sendSecurityNotice } from '../mails/send.js';
import { completeSignIn } from '../signin/complete.js';
import type { SignInResultValue } from '../signin/result.js';
import { returnAddress, targetOf } from '../challenges/return-target.js';
import { identities, type IdentityRow } from '../tables/identity.js';
import type { OAuthStateRow } from '../tables/oauth-state.js';
import { sessions } from '../tables/session.js';
import type { UserRow } from '../tables/user.js';
import { isBanned } from '../users/ban.js';
import { createUser } from '../users/create.js';
import { findIdentity, lockUser, lockUserByIdentity } from '../users/find.js';
import { presentUser } from '../users/resources.js';
import { countSignup, signupRefusal } from '../users/signup-rules.js';
import type { Profile } from '../providers/provider.js';
import { startedId } from './states.js';

type FinishContext = Context<
  'auth.signin.completed' | 'auth.signin.failed' | 'auth.user.created' | 'auth.identity.added' | 'auth.mfa.required',
  | 'signup_closed'
  | 'signup_domain_blocked'
  | 'identity_taken'
  | 'identity_unverified'
  | 'challenge_expired'
  | 'user_banned'
>;

/** The person who returned from a provider. */
export interface Arrival {
  state: OAuthStateRow;
  /** The provider as shown on sign-in buttons. */
  providerName: string;
  account: IdentityFacts;
  profile: Profile;
}

/**
 * Signs in with a provider’s account: as the user who linked it, or the user who has its proven address, or a new user.
 * @returns the reply, or the refusal to return: identity_unverified, user_banned, signup_closed, signup_domain_blocked,
 *   limit_reached
 * @throws rate_limited if this would exceed the limit of new users from the caller's IP address
 */
export async function signInWith(
  context: FinishContext,
  environment: Environment,
  arrival: Arrival,
): Promise<SignInResultValue | Refusal> {
  const found = await userOf(context, environment, arrival);
  if (isRefusal(found)) return found;
  const challengeId = startedId(arrival.state.stateDigest);
  const target = targetOf(arrival.state);
  const { user, openedBy } = found;
  return completeSignIn(context, environment, { user, method: 'oauth', openedBy, challengeId, target });
}

/** The user who signs in, and the identity they sign in with. */
interface Found {
  user: UserRow;
  openedBy: string | null;
}

async function userOf(context: FinishContext, environment: Environment, arrival: Arrival): Promise<Found | Refusal> {
  const known = await knownUser(context, environment, arrival);
  if (known) return known;
  const made = await signUp(context, environment, arrival);
  if (made) return made;
  // A sign-in that proved the same account or address at the same time committed first.
  const other = await knownUser(context, environment, arrival);
  if (!other) throw new Error('An identity is taken but does not belong to a user.');
  return other;
}

/**
 * @returns the user who has linked the account or has its address; the refusal to return; null if there is no such user
 */
async function knownUser(
  context: FinishContext,
  environment: Environment,
  { account, profile, providerName }: Arrival,
): Promise<Found | Refusal | null> {
  const { db, refuse } = context;
  const linked = await lockUserByIdentity(db, environment.id, account);
  if (linked) return { user: linked.user, openedBy: linked.identity.id };
  if (!profile.emailVerified || profile.email === null)
    return refuse.identity_unverified({
      problem: `${providerName} did not return a verified address`,
      nextStep: `Verify the address at ${providerName}, or sign in another way and add ${providerName} by calling auth.oauth.start with the accessToken.`,
    });
  const local = await lockUserByIdentity(db, environment.id, emailIdentity(profile.email));
  if (!local) return null;
  if (local.identity.verifiedAt === null)
    // The person who set up the account may not be the person who has the address.
    return refuse.identity_unverified({
      problem: `A user has this address but has not verified it, so ${providerName} cannot sign them in`,
      nextStep:
        'Sign in with a code sent to the address (auth.signin.start), then add the provider by calling auth.oauth.start with the accessToken.',
    });
  const added = await link(context, environment, local.user, { account, providerName });
  return isRefusal(added) ? added : { user: local.user, openedBy: added?.id ?? null };
}

/**
 * @returns the new user; the refusal to return; null if another user has taken the account or the address in the
 *   meantime
 */
async function signUp(
  context: FinishContext,
  environment: Environment,
  { state, account, profile }: Arrival,
): Promise<Found | Refusal | null> {
  const proven = [emailIdentity(profile.email ?? ''), account];
  const settings = await loadSettings(context.db, environment.id);
  const refusal = await signupRefusal(context, environment, settings, proven);
  if (refusal) return refusal;
  const { name, pictureUrl, locale } = profile;
  const identities = proven.map((each) => ({ ...each, verified: true }));
  const made = await createUser(context, environment, { name, pictureUrl, locale, identities }, state.createdAt);
  if ('erased' in made) return context.refuse.challenge_expired({ start: 'auth.oauth.start' });
  if (!('user' in made)) return null;
  await countSignup(context, environment, settings, proven);
  return { user: made.user, openedBy: made.identities.find(({ kind }) => kind === account.kind)?.id ?? null };
}

/**
 * Adds a provider’s account to a user, and informs them by mail.
 * @param user locked, so that two accounts added at the same time are counted one after the other
 * @returns the identity; null if a user already has it; the refusal to return: limit_reached
 */
async function link(
  context: FinishContext,
  environment: Environment,
  user: UserRow,
  { account: { kind, key, value, provider }, providerName }: Pick<Arrival, 'account' | 'providerName'>,
): Promise<IdentityRow | Refusal | null> {
  const { db, clock, emit, refuse } = context;
  if (await findIdentity(db, environment.id, { kind, key })) return null;
  const full = await capReached(db, user.id, kind);
  if (full) return refuse.limit_reached(full);
  const now = clock.now();
  const row: IdentityRow = {
    id: newId(),
    environmentId: environment.id,
    userId: user.id,
    kind,
    identityKey: key,
    value,
    provider,
    verifiedAt: now,
    isPrimary: false,
    byUser: !(await hasProvenOrigin(db, user.id)),
    createdAt: now,
  };
  try {
    await db.insert(identities, row);
  } catch (error) {
    if (isDuplicate(error, 'identity_key')) return null;
    throw error;
  }
  emit(
    'auth.identity.added',
    { subjectId: user.id, personId: user.id, data: { userId: user.id, identity: presentIdentity(row) } },
    environment,
  );
  await sendSecurityNotice(context, environment, user, 'identity_added', { what: providerName });
  return row;
}

/**
 * Adds the account to the signed-in user who started this. The user's session continues: no tokens are issued.
 * @returns the reply, or the refusal to return: challenge_expired, user_banned, identity_taken, limit_reached
 */
export async function linkToUser(
  context: FinishContext,
  environment: Environment,
  userId: string,
  { state, account, providerName }: Arrival,
): Promise<SignInResultValue | Refusal> {
  const { db, clock, audit, refuse } = context;
  const now = clock.now();
  const [user, session] = await Promise.all([
    lockUser(db, environment.id, userId),
    db.findOne(sessions, { id: state.sessionId ?? '', environmentId: environment.id }),
  ]);
  if (!user || !session || session.endedAt || session.expiresAt <= now)
    return refuse.challenge_expired({ start: 'auth.oauth.start' });
  if (isBanned(user, now)) return refuse.user_banned();
  // If a factor was activated since the start, the session must pass it first. The start explains this.
  if (!session.mfa && (await findActiveFactor(db, userId)))
    return refuse.challenge_expired({ start: 'auth.oauth.start' });
  const added = await link(context, environment, user, { account, providerName });
  if (isRefusal(added)) return added;
  if (!added) {
    const known = await findIdentity(db, environment.id, account, ' FOR UPDATE');
    if (known?.userId !== userId) return refuse.identity_taken({ what: `account at ${providerName}` });
  }
  audit({
    subject: { type: 'user', id: userId },
    summary: `Added an account at ${providerName} to a user.`,
    changes: added ? [{ field: 'identities', from: null, to: added.value }] : [],
    unchanged: `the user already had this account at ${providerName}.`,
    personId: userId,
  });
  const redirectTo = returnAddress(state);
  return { status: 'complete', tokens: null, user: presentUser(user, now), mfa: null, redirectTo };
}
