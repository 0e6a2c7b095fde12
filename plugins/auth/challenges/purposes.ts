/** What a challenge proves, once it is completed. */
export const challengePurposes = [
  'signin_code',
  'signin_link',
  'identity',
  'passkey_signin',
  'passkey_register',
  'second_factor',
] as const;
export type ChallengePurpose = (typeof challengePurposes)[number];
