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
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
