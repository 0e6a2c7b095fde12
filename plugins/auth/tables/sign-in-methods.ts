/**
 * The ways in which a person can prove who they are. `methods` of a session and `amr` of a token contain those that the
 * person passed.
 */
export const signInMethods = [
  'code',
  'link',
  'sms',
  'password',
  'passkey',
  'oauth',
  'totp',
  'recovery_code',
  'impersonation',
] as const;
export type SignInMethod = (typeof signInMethods)[number];
