import type { Environment } from '#core/kernel/caller/caller.js';
import { newId } from '#core/runtime/id.js';
import { codeDigest, linkDigest, newLinkToken } from '#plugins/auth/challenges/secrets.js';
import { emailIdentity } from '#plugins/auth/identities/normalize.js';
import { openSession } from '#plugins/auth/sessions/open.js';
import { readSession } from '#plugins/auth/sessions/read.js';
import type { TokensValue } from '#plugins/auth/sessions/resources.js';
import { issueTokens } from '#plugins/auth/sessions/tokens.js';
import { loadSettings } from '#plugins/auth/settings/load.js';
import { issueHandoff } from '#plugins/auth/signin/handoff.js';
import type { SignInMethod } from '#plugins/auth/tables/sign-in-methods.js';
import { createUser } from '#plugins/auth/users/create.js';
import { findUserByIdentity } from '#plugins/auth/users/find.js';
import { identities } from '#plugins/auth/tables/identity.js';
import { challenges } from '#plugins/auth/tables/challenge.js';
import { minutes } from '#test/support/clock.js';
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
    const made = await createUser(context, environment, { identities: [{ ...identity, verified: true }] }, 'now');
    if (!('user' in made)) throw new Error(`${email} is taken.`);
    return made.user.id;
  });
}

/** A user's new session whose tokens wait for auth.session.exchange. @returns the handoff code */
export async function handoffOf(
  platform: TestPlatform,
  environment: Environment,
  email = 'ada@example.com',
): Promise<string> {
  const { sessionId } = await signedIn(platform, environment, { email });
  return platform.running.services.transaction('Test', async (context) => {
    context.actIn(environment);
    const found = await readSession(context.db, environment.id, sessionId);
    if (!found) throw new Error('The session was not opened.');
    const address = await issueHandoff(context, found.session, 'https://app.example.com/callback');
    return new URL(address).searchParams.get('svc_code') ?? '';
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
    const session = await openSession(context, environment, { user, settings, methods, mfa, openedBy: null });
    const tokens = await issueTokens(context, { session, user, settings, orgRole: null });
    return { ...tokens, userId, sessionId: session.id };
  });
}

/** What a test knows of a proof that it started without a mail. */
interface KnownProof {
  email?: string;
  code?: string;
  /** The signed-in user who adds the address; a sign-in without. */
  userId?: string;
}

/** A started proof whose code the test chooses, so that no mail need arrive. @returns the challenge's id */
export async function startedCode(
  { running, clock }: TestPlatform,
  environment: Environment,
  { email = 'ada@example.com', code = '271828', userId }: KnownProof = {},
): Promise<string> {
  const { vault, database } = running.services;
  const id = newId();
  await database.insert(challenges, {
    ...proofOf(environment, clock.now(), email),
    id,
    purpose: userId === undefined ? 'signin_code' : 'identity',
    userId: userId ?? null,
    secretDigest: codeDigest(vault, id, code),
  });
  return id;
}

/** A magic link that no mail holds. @returns its token */
export async function startedLink(
  { running, clock }: TestPlatform,
  environment: Environment,
  email = 'ada@example.com',
): Promise<string> {
  const id = newId();
  const token = newLinkToken(id);
  await running.services.database.insert(challenges, {
    ...proofOf(environment, clock.now(), email),
    id,
    purpose: 'signin_link',
    userId: null,
    secretDigest: linkDigest(token),
  });
  return token;
}

const proofOf = (environment: Environment, now: Date, email: string) => ({
  environmentId: environment.id,
  identityKind: 'email',
  identityKey: emailIdentity(email).key,
  identityValue: emailIdentity(email).value,
  webauthnChallenge: null,
  methods: [],
  openedBy: null,
  attempts: 0,
  redirectTo: null,
  handoff: false,
  locale: null,
  createdAt: now,
  expiresAt: new Date(now.getTime() + minutes(10)),
  completedAt: null,
});

/** A further address of a user; proven unless said otherwise. @returns the identity's id */
export async function addedIdentity(
  { running, clock }: TestPlatform,
  environment: Environment,
  userId: string,
  { email, verified = true }: { email: string; verified?: boolean },
): Promise<string> {
  const { kind, key, value, provider } = emailIdentity(email);
  const id = newId();
  const now = clock.now();
  const owner = { environmentId: environment.id, userId, provider, isPrimary: false, byUser: true, createdAt: now };
  const verifiedAt = verified ? now : null;
  await running.services.database.insert(identities, { ...owner, id, kind, identityKey: key, value, verifiedAt });
  return id;
}
