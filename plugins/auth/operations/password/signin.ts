import { defineOperation } from '#core/kernel/operation.js';
import { boolean, email, object, optional, url, withDefault } from '#core/kernel/schema/schema.js';
import { newId } from '#core/runtime/id.js';
import { exampleTokens, exampleUser } from '../../examples.js';
import { emailIdentity } from '../../identities/normalize.js';
import { findPasswordOf, acceptPassword } from '../../passwords/stored.js';
import { isOwn } from '../../passwords/argon2.js';
import { rememberStatement, standIn } from '../../passwords/schemes.js';
import { verifyPassword } from '../../passwords/hash.js';
import { typedPassword } from '../../passwords/normalize.js';
import { replaySeconds } from '../../sessions/tokens.js';
import { settingsOfCall } from '../../settings/load.js';
import { completeSignIn } from '../../signin/complete.js';
import { readSignInFacts } from '../../signin/facts.js';
import { passwordEverywhere, startPerIdentifier, startPerIp } from '../../signin/limits.js';
import { bindingFields, readReturn } from '../../challenges/return-target.js';
import { SignInResult } from '../../signin/result.js';
import { findUserByIdentity, lockUser } from '../../users/find.js';

export default defineOperation({
  name: 'auth.password.signin',
  summary:
    'Signs in with an email address and password. An unknown address and a wrong password cost the same and return the same error.',
  description:
    'So does a user without a password, and a ban is revealed only if the password is correct. Every attempt counts against the limits of auth.signin.start before the password is checked. A password hash from another system is replaced with argon2id at the first sign-in.',
  keywords: 'login log in authenticate credentials',
  access: 'publishable',
  showsSecret: 'stored encrypted',
  replaySeconds,
  limits: [startPerIdentifier, startPerIp, passwordEverywhere],
  input: object({
    email: email('The user’s address.'),
    password: typedPassword('The password, as the user entered it.'),
    handoff: withDefault(boolean('Whether to return `redirectTo` with a one-time svc_code instead of tokens.'), false),
    redirectTo: optional(url('Where the sign-in returns to: one of redirectUrls, or a hosted page.')),
    ...bindingFields,
  }),
  output: SignInResult,
  errors: ['invalid_credentials', 'password_partly_checked', 'method_disabled', 'user_banned', 'redirect_not_allowed'],
  events: ['auth.signin.completed', 'auth.signin.failed', 'auth.mfa.required'],
  example: {
    input: { email: 'ada@example.com', password: 'correct horse battery staple' },
    output: { status: 'complete', tokens: exampleTokens, user: exampleUser, mfa: null, redirectTo: null },
  },

  async prepare(input, context) {
    const { email: address, password } = input;
    const { db, caller, fail } = context;
    const { environment } = caller;
    const settings = await settingsOfCall(context, environment.id);
    if (settings.methods['password']?.enabled === false) throw fail.method_disabled({ method: 'password' });
    const target = readReturn(context, environment, settings, input);
    const { stored, schemes } = await findPasswordOf(db, environment.id, emailIdentity(address));
    const checked = await verifyPassword(caller, stored?.hash ?? null, password, schemes);
    const isNew = stored !== null && !isOwn(stored.hash) && !schemes.includes(standIn(stored.hash));
    return {
      target,
      newScheme: isNew ? stored.hash : null,
      isPartly: !checked.ok && checked.partly === true,
      accepted: checked.ok && stored ? { stored, rehash: checked.rehash } : null,
    };
  },

  async handle({ email: address }, context) {
    const { db, caller, clock, emit, refuse, prepared } = context;
    const { environment } = caller;
    const { target, newScheme, isPartly, accepted: checked } = prepared;
    // The hash was imported before svc remembered the schemes.
    const remember = newScheme === null ? null : rememberStatement(environment.id, [newScheme], clock.now());
    if (remember) await db.defer(remember);
    // The user is locked first, as in every call that changes the password.
    const [user, accepted, facts] =
      checked === null
        ? [await findUserByIdentity(db, environment.id, emailIdentity(address)), false, undefined]
        : await Promise.all([
            lockUser(db, environment.id, checked.stored.userId),
            acceptPassword(context, checked),
            readSignInFacts(context, environment, checked.stored.userId),
          ]);
    if (!accepted || !user || !facts) {
      emit('auth.signin.failed', {
        subjectId: user?.id ?? newId(),
        ...(user ? { personId: user.id } : {}),
        data: { method: 'password', reason: 'invalid_credentials', userId: user?.id ?? null },
      });
      return isPartly ? refuse.password_partly_checked() : refuse.invalid_credentials();
    }
    return completeSignIn(context, environment, {
      user,
      facts,
      method: 'password',
      openedBy: checked?.stored.identityId ?? null,
      target,
    });
  },
});
