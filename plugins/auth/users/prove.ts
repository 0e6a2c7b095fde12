import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Refusal } from '#core/kernel/errors/errors.js';
import type { IdentityFacts } from '../identities/normalize.js';
import { loadSettings } from '../settings/load.js';
import type { UserRow } from '../tables/user.js';
import { createUser } from './create.js';
import { lockUserByIdentity } from './find.js';
import { proveStoredIdentity } from './first-proof.js';
import { countSignup, signupRefusal } from './signup-rules.js';

/** What a first sign-in knows about a person. */
export interface NewcomerFacts {
  name?: string | null;
  pictureUrl?: string | null;
  locale?: string | null;
  /** Further identities that were proven at the same time: the provider's account beside its address. */
  also?: readonly IdentityFacts[];
}

export type ProvingContext = Context<
  'auth.user.created' | 'auth.user.updated' | 'auth.session.revoked',
  'signup_closed' | 'signup_domain_blocked'
>;

/**
 * The user of an address, number or provider account that was just proven: found, or signed up where the environment takes new users.
 * @returns the user, or the refusal to return: signup_closed, signup_domain_blocked
 * @throws rate_limited where this would be one new user too many from the caller's IP address
 */
export async function userOfProvenIdentity(
  context: ProvingContext,
  environment: Environment,
  identity: IdentityFacts,
  facts: NewcomerFacts = {},
): Promise<{ user: UserRow; created: boolean } | Refusal> {
  const known = await knownUser(context, environment, identity);
  if (known) return { user: known, created: false };
  const settings = await loadSettings(context.db, environment.id);
  const proven = [identity, ...(facts.also ?? [])];
  const refusal = await signupRefusal(context, environment, settings, proven);
  if (refusal) return refusal;
  const identities = proven.map((each) => ({ ...each, verified: true }));
  const made = await createUser(context, environment, { ...facts, identities });
  if ('user' in made) {
    await countSignup(context, environment, settings, proven);
    return { user: made.user, created: true };
  }
  // A sign-in that proved the same identity at the same time committed first.
  const other = await knownUser(context, environment, identity);
  if (!other) throw new Error(`An identity of kind ${identity.kind} is taken and belongs to nobody.`);
  return { user: other, created: false };
}

/** The user who has the identity, which counts as verified from now on. */
async function knownUser(
  context: ProvingContext,
  environment: Environment,
  proven: IdentityFacts,
): Promise<UserRow | null> {
  const found = await lockUserByIdentity(context.db, environment.id, proven);
  if (!found) return null;
  return found.identity.verifiedAt === null ? proveStoredIdentity(context, environment, found.identity) : found.user;
}
