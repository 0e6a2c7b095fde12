import { declareErrors } from '#core/kernel/errors/errors.js';

export const errors = declareErrors({
  contrast_too_low: {
    status: 400,
    message: 'One or more colour pairs fall below WCAG AA (4.5:1): {pairs}.',
    fix: 'Change one colour of each pair with account.theme.draft.save until its contrast is at least 4.5:1, then publish again.',
  },
  invite_wrong_address: {
    status: 403,
    message: 'You are signed in with an address other than the invited one.',
    fix: 'Sign out, sign in with the invited address, then accept the invitation again.',
  },
  signup_disabled: {
    status: 403,
    message: 'This deployment does not accept new accounts.',
    fix: 'Ask the operator for an account. If you are the operator, set SVC_SIGNUP=open and restart the server.',
  },
  email_taken: {
    status: 409,
    message: '{email} already owns an account.',
    fix: 'Use a key of that account, or sign up with a different address.',
  },
  last_owner: {
    status: 409,
    message: 'The account would be left without an owner.',
    fix: 'Make another active member an owner with account.member.role.set first.',
  },
  member_exists: {
    status: 409,
    message: '{email} already belongs to an active member.',
    fix: 'Change the member’s role with account.member.role.set instead.',
  },
  account_closed: {
    status: 403,
    message: 'The account is closed: nothing is sent or bought until it is open again.',
    fix: 'Call {reopen} with an owner’s key, then call again.',
  },
  identity_unverified: {
    status: 403,
    message: '{problem}.',
    fix: '{nextStep}',
  },
  invite_wrong_account: {
    status: 403,
    message: 'The invited address is not one of your verified addresses.',
    fix: 'Sign in with the invited address, or add and verify it, then accept again.',
  },
  invite_accepted: {
    status: 409,
    message: 'The invitation was already accepted.',
    fix: '{nextStep}',
  },
  invite_expired: {
    status: 410,
    message: 'The invitation has expired.',
    fix: '{nextStep}',
  },
  invite_revoked: {
    status: 410,
    message: 'The invitation was withdrawn.',
    fix: '{nextStep}',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
