import { defineOperation } from '#core/kernel/operation.js';
import { boolean, email, object, optional, url, withDefault } from '#core/kernel/schema/schema.js';
import { newId } from '#core/runtime/id.js';
import { exampleTokens, exampleUser } from '../../examples.js';
import { emailIdentity } from '../../identities/normalize.js';
import { findPasswordOf } from '../../passwords/find.js';
import { verifyPassword } from '../../passwords/hash.js';
import { typedPassword } from '../../passwords/input.js';
import { acceptPassword } from '../../passwords/accept.js';
import { settingsOfCall } from '../../settings/load.js';
import { requireRedirect } from '../../settings/redirects.js';
import { completeSignIn } from '../../signin/complete.js';
import { readSignInFacts } from '../../signin/facts.js';
import { startPerIdentifier, startPerIp } from '../../signin/limits.js';
import { SignInResult } from '../../signin/result.js';
import { findUserByIdentity, lockUser } from '../../users/find.js';

export default defineOperation({
  name: 'auth.password.signin',
  summary: 'Sign in with address and password.',
  description:
    'An unknown address, a wrong password and a user without a password cost and answer the same; a ban is answered only to the right password. Every attempt counts against the limits that auth.signin.start has, before the password is checked. A password hash of another system is replaced by argon2id at its first sign-in.',
  keywords: 'login log in authenticate credentials',
  access: 'publishable',
  showsSecret: 'stored encrypted',
  limits: [startPerIdentifier, startPerIp],
  input: object({
    email: email('The user’s address.'),
    password: typedPassword('The password, as the user typed it.'),
    handoff: withDefault(boolean('Answer with `redirectTo` carrying a one-time svc_code, not with tokens.'), false),
    redirectTo: optional(url('Where the sign-in returns to: one of redirectUrls, or a hosted page.')),
  }),
  output: SignInResult,
  errors: ['invalid_credentials', 'method_disabled', 'user_banned', 'redirect_not_allowed'],
  events: ['auth.signin.completed', 'auth.signin.failed', 'auth.mfa.required'],
  example: {
    input: { email: 'ada@example.com', password: 'correct horse battery staple' },
    output: { status: 'complete', tokens: exampleTokens, user: exampleUser, mfa: null, redirectTo: null },
  },

  async prepare({ email: address, password, handoff, redirectTo }, context) {
    const { db, caller, fail } = context;
    const { environment } = caller;
    const settings = await settingsOfCall(context, environment.id);
    if (settings.methods['password']?.enabled === false) throw fail.method_disabled({ method: 'password' });
    if (redirectTo !== undefined) requireRedirect(context, environment, settings, redirectTo);
    else if (handoff) throw fail.invalid_input({ field: 'redirectTo', problem: 'must be given with handoff' });
    const stored = await findPasswordOf(db, environment.id, emailIdentity(address));
    const checked = await verifyPassword(caller, stored?.hash ?? null, password);
    return checked.ok && stored ? { stored, rehash: checked.rehash } : null;
  },

  async handle({ email: address, handoff, redirectTo }, context) {
    const { db, caller, emit, refuse, prepared } = context;
    const { environment } = caller;
    // The user is locked first, as by what changes the password.
    const [user, accepted, facts] =
      prepared === null
        ? [await findUserByIdentity(db, environment.id, emailIdentity(address)), false, undefined]
        : await Promise.all([
            lockUser(db, environment.id, prepared.stored.userId),
            acceptPassword(context, prepared),
            readSignInFacts(context, environment, prepared.stored.userId),
          ]);
    if (!accepted || !user || !facts) {
      emit('auth.signin.failed', {
        subjectId: user?.id ?? newId(),
        ...(user ? { personId: user.id } : {}),
        data: { method: 'password', reason: 'invalid_credentials', userId: user?.id ?? null },
      });
      return refuse.invalid_credentials();
    }
    return completeSignIn(context, environment, {
      user,
      facts,
      method: 'password',
      openedBy: prepared?.stored.identityId ?? null,
      handoff,
      redirectTo: redirectTo ?? null,
    });
  },
});
