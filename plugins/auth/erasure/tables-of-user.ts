/** Tables that hold a few rows per user and have no events. */
export const tablesOfUser = [
  'auth_identity',
  'auth_password',
  'auth_passkey',
  'auth_factor',
  'auth_recovery_code',
  'auth_user_name',
  'auth_org_former_member',
] as const;
