import type { Environment } from '#core/kernel/caller/caller.js';
import { emailIdentity } from '#plugins/auth/identities/normalize.js';
import { openSession } from '#plugins/auth/sessions/open.js';
import type { TokensValue } from '#plugins/auth/sessions/resources.js';
import { issueTokens } from '#plugins/auth/sessions/tokens.js';
import { loadSettings } from '#plugins/auth/settings/load.js';
import type { SignInMethod } from '#plugins/auth/signin/methods.js';
import { createUser } from '#plugins/auth/users/create.js';
import { findUserByIdentity } from '#plugins/auth/users/find.js';
import type { TestPlatform } from '#test/support/platform.js';

export interface SignedIn extends TokensValue {
  userId: string;
  sessionId: string;
}

/** A user with a verified address, created when the environment does not have them yet. @returns the user's id */
export async function userOf(
  platform: TestPlatform,
  environment: Environment,
  email = 'ada@example.com',
): Promise<string> {
  return platform.running.services.transaction('Test', async (context) => {
    context.actIn(environment);
    const identity = emailIdentity(email);
    const known = await findUserByIdentity(context.db, environment.id, identity);
    if (known) return known.id;
    const made = await createUser(context, environment, { identities: [{ ...identity, verified: true }] });
    if (!('user' in made)) throw new Error(`${email} is taken.`);
    return made.user.id;
  });
}

/** Opens a session without going through a sign-in, for tests of what comes after one. */
export async function signedIn(
  platform: TestPlatform,
  environment: Environment,
  facts: { email?: string; methods?: SignInMethod[]; mfa?: boolean } = {},
): Promise<SignedIn> {
  const { email = 'ada@example.com', methods = ['code'], mfa = false } = facts;
  const userId = await userOf(platform, environment, email);
  return platform.running.services.transaction('Test', async (context) => {
    context.actIn(environment);
    const user = await findUserByIdentity(context.db, environment.id, emailIdentity(email));
    if (!user) throw new Error(`Nobody has ${email}.`);
    const settings = await loadSettings(context.db, environment.id);
    const session = await openSession(context, environment, { user, settings, methods, mfa });
    const tokens = await issueTokens(context, { session, user, settings, orgRole: null });
    return { ...tokens, userId, sessionId: session.id };
  });
}
