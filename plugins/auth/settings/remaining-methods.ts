import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { identities } from '../tables/identity.js';
import { passkeys } from '../tables/passkey.js';
import { passwords } from '../tables/password.js';
import { loadSettings } from './load.js';
import { usableMethods } from './usable-methods.js';

type RemovingContext = Pick<Context<never, 'no_usable_signin_method'>, 'db' | 'use' | 'deployment' | 'fail'>;

/**
 * Refuses a removal after which the user could no longer sign in. Call it after the removal, in its transaction, with
 * the user's row locked, so that two concurrent removals cannot each rely on what the other removes.
 * @throws no_usable_signin_method
 */
export async function requireRemainingMethod(
  context: RemovingContext,
  environment: Environment,
  userId: string,
): Promise<void> {
  const { db, fail } = context;
  const settings = await loadSettings(db, environment.id);
  const usable = await usableMethods(context, environment, settings);
  const owned = await db.find(identities, { userId });
  const has = (kind: string): boolean => owned.some((each) => each.kind === kind);
  const providers = new Set(usable.oauth.map(({ provider }) => provider));
  if (has('email') && (usable.code || usable.link)) return;
  if (has('phone') && usable.sms) return;
  if (owned.some(({ provider }) => provider !== null && providers.has(provider))) return;
  if (has('email') && usable.password && (await db.count(passwords, { userId })) > 0) return;
  if (usable.passkey && (await db.count(passkeys, { userId })) > 0) return;
  throw fail.no_usable_signin_method({
    problem: 'the user has no other enabled and available sign-in method here',
    nextStep: 'Add another sign-in method first: an address (auth.identity.add), a password or a passkey.',
  });
}
