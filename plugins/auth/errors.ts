import { declareErrors } from '#core/kernel/errors/errors.js';

/** What most refusals of a started proof tell the caller to do. */
const startAgain = 'Start again with {start}.';

export const errors = declareErrors({
  confirmation_mismatch: {
    status: 400,
    message: 'The confirmation does not exactly match {what}. Nothing was changed.',
    fix: 'Pass {what} in `confirm`, exactly as it is shown.',
  },
  no_usable_signin_method: {
    status: 400,
    message: 'The change would leave no enabled and available sign-in method: {problem}. Nothing was changed.',
    fix: '{nextStep}',
  },
  not_a_link: {
    status: 400,
    message: 'The challenge is a code, not a link.',
    fix: 'Pass the challenge and its code to auth.signin.verify.',
  },
  passkey_rejected: {
    status: 400,
    message: 'The authenticator response could not be verified: {problem}.',
    fix: startAgain,
  },
  password_breached: {
    status: 400,
    message: 'The password appears in known breaches.',
    fix: 'Let the user choose a password that they do not use anywhere else.',
  },
  password_too_long: {
    status: 400,
    message: 'The password is longer than {limit} characters.',
    fix: 'Let the user choose a password of at most {limit} characters.',
  },
  password_too_short: {
    status: 400,
    message: 'The password is shorter than {limit} characters.',
    fix: 'Let the user choose a password of at least {limit} characters.',
  },
  state_mismatch: {
    status: 400,
    message: 'The sign-in did not come from this browser, or it has already been completed.',
    fix: 'Start again with auth.oauth.start and complete it in the same browser, with the browserToken that it returned.',
  },
  wrong_code: {
    status: 400,
    message: 'The code is incorrect.',
    fix: '{nextStep}',
  },
  code_expired: {
    status: 401,
    message: 'The handoff code is older than two minutes.',
    fix: 'Let the user sign in again and exchange the new svc_code within two minutes.',
  },
  code_invalid: {
    status: 401,
    message: 'The handoff code is unknown in this environment, or it does not match the codeVerifier.',
    fix: 'Pass the value of svc_code from the redirect URL with a key of the environment that the user signed in to, and the codeVerifier if the sign-in was started with a codeChallenge. If this browser did not start a sign-in, let the user sign in again.',
  },
  code_used: {
    status: 401,
    message: 'The handoff code has already been exchanged.',
    fix: 'Use the tokens of the first exchange, or let the user sign in again.',
  },
  invalid_credentials: {
    status: 401,
    message: 'The address and password do not match.',
    fix: 'Let the user correct the address or password, or sign in with a code (auth.signin.start).',
  },
  password_partly_checked: {
    status: 401,
    message:
      'The password was not accepted, but it was not checked in every form: some of its characters can be encoded in several ways, and the hashes that this environment imported are too costly to check them all.',
    fix: 'Let the user sign in with a code or link (auth.signin.start), and then set a password with auth.password.set.',
  },
  mfa_token_invalid: {
    status: 401,
    message: 'The sign-in is not awaiting a second factor.',
    fix: 'Let the user sign in again. The reply contains a new mfaToken, which is valid for ten minutes.',
  },
  refresh_reused: {
    status: 401,
    message: 'The refresh token has already been used. Its session has been ended everywhere.',
    fix: 'Let the user sign in again. Store each new refresh token before the next refresh, and refresh in only one place at a time.',
  },
  session_expired: {
    status: 401,
    message: 'The refresh token has expired.',
    fix: 'Let the user sign in again.',
  },
  session_impersonated: {
    status: 401,
    message: 'An impersonated session cannot be refreshed.',
    fix: 'Call auth.user.impersonate again if you need more time.',
  },
  session_invalid: {
    status: 401,
    message: 'The refresh token is not recognised.',
    fix: 'Let the user sign in again.',
  },
  session_revoked: {
    status: 401,
    message: 'The session has been revoked.',
    fix: 'Let the user sign in again.',
  },
  device_denied: {
    status: 403,
    message: 'The person denied the device.',
    fix: 'Start again with auth.device.start if the person wants to sign in after all.',
  },
  feature_disabled: {
    status: 403,
    message: 'This environment has {feature} turned off.',
    fix: '{nextStep}',
  },
  method_disabled: {
    status: 403,
    message: 'The sign-in method {method} is turned off in this environment.',
    fix: 'Use a method that auth.signin.methods returns, or turn on {method} with auth.settings.set (`methods`).',
  },
  org_role_required: {
    status: 403,
    message: 'Your role in the organization does not allow this. It requires {role}.',
    fix: 'Ask {role} of the organization to do it.',
  },
  redirect_not_allowed: {
    status: 403,
    message: 'redirectTo is not one of the environment’s redirect URLs.',
    fix: 'Add {origin} to redirectUrls with auth.settings.set, then call again.',
  },
  signup_closed: {
    status: 403,
    message: 'The environment does not accept new users, and no account exists for this address.',
    fix: '{nextStep}',
  },
  signup_domain_blocked: {
    status: 403,
    message: 'The environment does not create accounts for addresses at {domain}.',
    fix: 'Sign in with an address at another domain, or change signup.allowedDomains and signup.blockedDomains with auth.settings.set.',
  },
  challenge_used: {
    status: 409,
    message: 'The challenge, factor or device code has already been completed or decided.',
    fix: startAgain,
  },
  device_pending: {
    status: 409,
    passes: true,
    message: 'The person has not decided yet.',
    fix: 'Call auth.device.poll again in {seconds} seconds.',
  },
  factor_not_active: {
    status: 409,
    message: 'The user does not have an active second factor.',
    fix: 'Enrol one with auth.factor.totp.enroll and enter its first code with auth.factor.totp.activate.',
  },
  factor_required: {
    status: 409,
    message: '{who} requires a second factor.',
    fix: 'Replace the factor instead: auth.factor.totp.enroll, then auth.factor.totp.activate.',
  },
  identity_exists: {
    status: 409,
    message: 'The user already has this address or phone number.',
    fix: 'auth.me.get lists the user’s identities. Make one of them primary with auth.identity.primary.set.',
  },
  identity_taken: {
    status: 409,
    message: 'Another user has this {what}.',
    fix: 'Sign in as that user, or use another {what}. auth.user.get finds the user who has it.',
  },
  org_last_owner: {
    status: 409,
    message: 'The organization “{name}” would be left without an owner.',
    fix: 'Make another member an owner with auth.org.member.update, or delete the organization with auth.org.delete.',
  },
  org_member_exists: {
    status: 409,
    message: '{email} already belongs to a member of the organization.',
    fix: 'Change the member’s role with auth.org.member.update instead.',
  },
  org_slug_taken: {
    status: 409,
    message: 'Another organization has the slug {slug}.',
    fix: 'Choose another slug.',
  },
  passkey_exists: {
    status: 409,
    message: 'This authenticator is already registered.',
    fix: 'Sign in with it, or register another one.',
  },
  password_not_set: {
    status: 409,
    message: 'The user does not have a password.',
    fix: 'There is nothing to remove. Set a password with auth.password.set.',
  },
  signing_key_active: {
    status: 409,
    message: 'This is the active signing key.',
    fix: 'Rotate it first with auth.signingKey.rotate, then retire it.',
  },
  challenge_expired: {
    status: 410,
    message: 'The code, link or device code has expired.',
    fix: startAgain,
  },
  challenge_locked: {
    status: 429,
    passes: false,
    message: 'Too many wrong codes were entered.',
    fix: startAgain,
  },
  user_banned: {
    status: 403,
    message: 'The user is banned.',
    fix: 'Call auth.user.unban with a secret key to let the user in again.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
