import { declareErrors } from '#core/kernel/errors/errors.js';

/** What most refusals of a started proof tell the caller to do. */
const startAgain = 'Start again with {start}.';

export const errors = declareErrors({
  confirmation_mismatch: {
    status: 400,
    message: 'The confirmation is not exactly {what}. Nothing changed.',
    fix: 'Pass {what} in `confirm`, exactly as it is shown.',
  },
  no_usable_signin_method: {
    status: 400,
    message: 'This would leave no enabled and available way to sign in: {problem}. Nothing changed.',
    fix: '{nextStep}',
  },
  not_a_link: {
    status: 400,
    message: 'The challenge is a code, not a link.',
    fix: 'Pass the challenge and its code to auth.signin.verify.',
  },
  passkey_rejected: {
    status: 400,
    message: 'The authenticator’s response could not be verified: {problem}.',
    fix: startAgain,
  },
  password_breached: {
    status: 400,
    message: 'The password appears in lists of known passwords.',
    fix: 'Let the user choose a password that they use nowhere else.',
  },
  password_too_long: {
    status: 400,
    message: 'The password has more than {limit} characters.',
    fix: 'Let the user choose a password of at most {limit} characters.',
  },
  password_too_short: {
    status: 400,
    message: 'The password has fewer than {limit} characters.',
    fix: 'Let the user choose a password of at least {limit} characters.',
  },
  state_mismatch: {
    status: 400,
    message: 'This sign-in did not start in this browser, or it was completed before.',
    fix: 'Start again with auth.oauth.start, and pass its browserToken from the same browser.',
  },
  wrong_code: {
    status: 400,
    message: 'The code is not correct.',
    fix: '{nextStep}',
  },
  code_expired: {
    status: 401,
    message: 'The handoff code is older than two minutes.',
    fix: 'Let the user sign in again and exchange the new svc_code within two minutes.',
  },
  code_invalid: {
    status: 401,
    message: 'The handoff code is not known in this environment, or the codeVerifier does not belong to it.',
    fix: 'Pass the value of svc_code from the redirect address, with a key of the environment that the user signed in to, and the codeVerifier if the sign-in was started with a codeChallenge. If this browser started no sign-in, let the user sign in anew.',
  },
  code_used: {
    status: 401,
    message: 'The handoff code was exchanged before.',
    fix: 'Use the tokens of the first exchange, or let the user sign in again.',
  },
  invalid_credentials: {
    status: 401,
    message: 'Address and password do not match.',
    fix: 'Let the user correct address and password, or sign in with a code (auth.signin.start).',
  },
  mfa_token_invalid: {
    status: 401,
    message: 'No sign-in waits for a second factor with this mfaToken.',
    fix: 'Let the user sign in again; the answer has a new mfaToken, valid for ten minutes.',
  },
  refresh_reused: {
    status: 401,
    message: 'The refresh token was used before; its session has ended, on all devices that share it.',
    fix: 'Let the user sign in again. Store each new refresh token before the next refresh, and refresh in one place at a time.',
  },
  session_expired: {
    status: 401,
    message: 'The session has expired.',
    fix: 'Let the user sign in again.',
  },
  session_impersonated: {
    status: 401,
    message: 'An impersonated session cannot be refreshed.',
    fix: 'Call auth.user.impersonate again when more time is needed.',
  },
  session_invalid: {
    status: 401,
    message: 'The refresh token is not recognised.',
    fix: 'Let the user sign in again.',
  },
  session_revoked: {
    status: 401,
    message: 'The session has ended.',
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
    message: 'Signing in with {method} is turned off in this environment.',
    fix: 'Use a method that auth.signin.methods lists, or turn {method} on with auth.settings.set (`methods`).',
  },
  org_role_required: {
    status: 403,
    message: 'Your role in the organization does not allow this: it takes {role}.',
    fix: 'Ask {role} of the organization to do it.',
  },
  redirect_not_allowed: {
    status: 403,
    message: 'redirectTo is none of the environment’s redirect addresses.',
    fix: 'Add {origin} to redirectUrls with auth.settings.set, then call again.',
  },
  signup_closed: {
    status: 403,
    message: 'No user has this address, and the environment takes no new users.',
    fix: '{nextStep}',
  },
  signup_domain_blocked: {
    status: 403,
    message: 'The environment takes no new users with addresses of {domain}.',
    fix: 'Sign in with an address of another domain, or change signup.allowedDomains and signup.blockedDomains with auth.settings.set.',
  },
  challenge_used: {
    status: 409,
    message: 'This was completed or decided before.',
    fix: startAgain,
  },
  device_pending: {
    status: 409,
    message: 'The person has not decided yet.',
    fix: 'Call auth.device.poll again in {seconds} seconds.',
  },
  factor_not_active: {
    status: 409,
    message: 'The user has no active second factor.',
    fix: 'Enrol one with auth.factor.totp.enroll and enter its first code with auth.factor.totp.activate.',
  },
  factor_required: {
    status: 409,
    message: '{who} requires a second factor.',
    fix: 'Replace the factor instead: auth.factor.totp.enroll, then auth.factor.totp.activate.',
  },
  identity_exists: {
    status: 409,
    message: 'You already have this address or number.',
    fix: 'auth.me.get shows your identities; auth.identity.primary.set makes one of them the primary one.',
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
    message: '{email} is a member of the organization already.',
    fix: 'Change the member’s role with auth.org.member.update instead.',
  },
  org_slug_taken: {
    status: 409,
    message: 'Another organization has the slug {slug}.',
    fix: 'Choose another slug.',
  },
  passkey_exists: {
    status: 409,
    message: 'This authenticator is registered already.',
    fix: 'Sign in with it, or register another one.',
  },
  password_not_set: {
    status: 409,
    message: 'The user has no password.',
    fix: 'There is nothing to remove. auth.password.set sets one.',
  },
  signing_key_active: {
    status: 409,
    message: 'The key signs access tokens now.',
    fix: 'Make a new one with auth.signingKey.rotate, then retire this one.',
  },
  challenge_expired: {
    status: 410,
    message: 'The code or link has expired.',
    fix: startAgain,
  },
  challenge_locked: {
    status: 429,
    message: 'Too many wrong codes were entered.',
    fix: startAgain,
  },
  user_banned: {
    status: 403,
    message: 'The user is banned.',
    fix: 'Call {unban} with a secret key to let the user in again.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
