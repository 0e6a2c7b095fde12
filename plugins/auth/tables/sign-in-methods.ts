/** How a person can prove who they are. A session's `methods` and a token's `amr` contain those that it passed. */
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
