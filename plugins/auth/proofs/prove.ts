import type { Environment } from '#core/kernel/caller/caller.js';
import type { Change, Context } from '#core/kernel/context.js';
import type { Refusal } from '#core/kernel/errors/errors.js';
import { RetryTransaction } from '#core/runtime/database/errors.js';
import type { IdentityFacts } from '../identities/normalize.js';
import { hasProvenOrigin } from '../identities/origin.js';
import { movedIdentity, releaseIdentity } from './release.js';
import { loadSettings } from '../settings/load.js';
import type { IdentityRow } from '../tables/identity.js';
import type { UserRow } from '../tables/user.js';
import { createUser } from '../users/create.js';
import { lockUserByIdentity } from '../users/find.js';
import { firstProofEvents, proveStoredIdentity } from './first-proof.js';
import { countSignup, signupRefusal } from '../users/signup-rules.js';

/** What a first sign-in knows about a person. */
interface NewcomerFacts {
  name?: string | null;
  pictureUrl?: string | null;
  locale?: string | null;
  /** Other identities that were proven at the same time: the provider's account in addition to its address. */
  also?: readonly IdentityFacts[];
  /** When the proof was started: a person who was erased since starts again. */
  startedAt: Date;
}

/** Events that may be emitted while finding the user of a proven identity. */
export const provingEvents = ['auth.user.created', ...firstProofEvents] as const;

export type ProvingContext = Context<
  (typeof provingEvents)[number],
  'signup_closed' | 'signup_domain_blocked' | 'challenge_expired'
>;

/** The user of a proven identity. */
interface ProvenUser {
  user: UserRow;
  identityId: string;
  /** What the proof has ended or moved, for the audit record. */
  changes: Change[];
}

/**
 * The user of an address or number that was just proven: found, or signed up if the environment accepts new users. If
 * an identity was stored without a proof, it leads to the user it was stored with only while no other identity of that
 * user has a proven origin: of two identities that a server stored together, one may belong to a stranger. A person who
 * proves the other one later gets a separate user.
 * @returns the user, or the refusal to return: signup_closed, signup_domain_blocked, challenge_expired
 * @throws rate_limited if this would exceed the limit of new users from the caller's IP address
 */
export async function userOfProvenIdentity(
  context: ProvingContext,
  environment: Environment,
  identity: IdentityFacts,
  { startedAt, ...facts }: NewcomerFacts,
): Promise<ProvenUser | Refusal> {
  const stored = await storedIdentity(context, environment, identity);
  if (stored && 'identityId' in stored) return stored;
  const settings = await loadSettings(context.db, environment.id);
  const proven = [identity, ...(facts.also ?? [])];
  const refusal = await signupRefusal(context, environment, settings, proven);
  if (refusal) return refusal;
  const ended = stored ? await releaseIdentity(context, environment, stored) : [];
  const identities = proven.map((each) => ({ ...each, verified: true }));
  const made = await createUser(context, environment, { ...facts, identities }, startedAt);
  if ('erased' in made) return context.refuse.challenge_expired({ start: 'auth.signin.start' });
  if ('user' in made) {
    await countSignup(context, environment, settings, proven);
    const [{ id: identityId } = { id: '' }] = made.identities;
    return { user: made.user, identityId, changes: stored ? [movedIdentity(stored, made.user.id), ...ended] : [] };
  }
  // A sign-in that proved the same identity at the same time committed first.
  const other = await storedIdentity(context, environment, identity);
  if (!other || !('identityId' in other))
    throw new RetryTransaction('The identity was stored with another user while its own user was being created.');
  return other;
}

/**
 * The user who has the identity, which counts as verified from now on.
 * @returns the identity itself if it belongs to another person's user; null if nobody has it
 */
async function storedIdentity(
  context: ProvingContext,
  environment: Environment,
  proven: IdentityFacts,
): Promise<ProvenUser | IdentityRow | null> {
  const found = await lockUserByIdentity(context.db, environment.id, proven);
  if (!found) return null;
  const { user, identity } = found;
  if (identity.verifiedAt !== null) return { user, identityId: identity.id, changes: [] };
  if (await hasProvenOrigin(context.db, user.id)) return identity;
  return { identityId: identity.id, ...(await proveStoredIdentity(context, environment, user, identity)) };
}
