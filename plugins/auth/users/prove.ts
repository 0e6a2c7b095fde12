import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Refusal } from '#core/kernel/errors/errors.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { countAgainst } from '#core/kernel/limits/count-against.js';
import { domainOf } from '#core/kernel/schema/email-address.js';
import type { IdentityFacts } from '../identities/normalize.js';
import { loadSettings } from '../settings/load.js';
import type { AuthSettingsValue } from '../settings/resources.js';
import { identities, type IdentityRow } from '../tables/identity.js';
import { users, type UserRow } from '../tables/user.js';
import { createUser } from './create.js';
import { findIdentity, findUser } from './find.js';

/** What a first sign-in knows about a person. */
export interface NewcomerFacts {
  name?: string | null;
  pictureUrl?: string | null;
  locale?: string | null;
  /** Further identities that were proven at the same time: the provider's account beside its address. */
  also?: readonly IdentityFacts[];
}

type ProvingContext = Context<'auth.user.created', 'signup_closed' | 'signup_domain_blocked'>;

/**
 * The user of an address, number or provider account that was just proven: found, or signed up where the environment takes new users.
 * @returns the user, or the refusal to return: signup_closed, signup_domain_blocked, rate_limited (new users per IP address)
 */
export async function userOfProvenIdentity(
  context: ProvingContext,
  environment: Environment,
  identity: IdentityFacts,
  facts: NewcomerFacts = {},
): Promise<{ user: UserRow; created: boolean } | Refusal> {
  const { db } = context;
  const known = await knownUser(context, environment, identity);
  if (known) return { user: known, created: false };
  const settings = await loadSettings(db, environment.id);
  const refusal = await signupRefusal(context, environment, settings, identity);
  if (refusal) return refusal;
  const proven = [identity, ...(facts.also ?? [])].map((each) => ({ ...each, verified: true }));
  const made = await createUser(context, environment, { ...facts, identities: proven });
  if ('user' in made) return { user: made.user, created: true };
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
  const { db } = context;
  const found = await findIdentity(db, environment.id, proven, ' FOR UPDATE');
  if (!found) return null;
  if (found.verifiedAt === null) await markVerified(context, found);
  return findUser(db, environment.id, found.userId);
}

async function markVerified(
  { db, clock }: ProvingContext,
  { id, userId, kind, isPrimary }: IdentityRow,
): Promise<void> {
  await db.update(identities, { id }, { verifiedAt: clock.now() });
  if (isPrimary && kind !== 'oauth')
    await db.update(users, { id: userId }, kind === 'email' ? { emailVerified: true } : { phoneVerified: true });
}

async function signupRefusal(
  { db, clock, caller, refuse }: ProvingContext,
  environment: Environment,
  { signup, botProtection }: AuthSettingsValue,
  identity: IdentityFacts,
): Promise<Refusal | null> {
  if (signup.allow !== 'anyone')
    return refuse.signup_closed({
      nextStep: 'Create the user with auth.user.create, or set signup.allow with auth.settings.set.',
    });
  if (identity.kind === 'email') {
    const domain = domainOf(identity.key);
    const { allowedDomains, blockedDomains } = signup;
    if (blockedDomains.includes(domain) || (allowedDomains.length > 0 && !allowedDomains.includes(domain)))
      return refuse.signup_domain_blocked({ domain });
  }
  if (!botProtection.enabled) return null;
  const { max, windowSeconds } = botProtection.signupPerIp;
  const key = `auth.signup|ip:${environment.id}:${addressGroup(caller.request.ip)}`;
  const seconds = await countAgainst(db, { key, max, windowSeconds, now: clock.now() });
  return seconds > 0 ? refuse.rate_limited({ limit: `${max} new users in ${windowSeconds} seconds`, seconds }) : null;
}
