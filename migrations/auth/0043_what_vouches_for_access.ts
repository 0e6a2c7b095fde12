/**
 * What opened a session (plugins/auth/sessions/end.ts), the key that impersonates a user
 * (plugins/auth/sessions/check-token.ts), and identities that were added before any identity of their user was proven
 * (plugins/auth/identities/origin.ts).
 */
export const up: readonly string[] = [
  'ALTER TABLE auth_session ADD COLUMN opened_by BINARY(16) NULL, ADD COLUMN impersonator_key_id BINARY(16) NULL',
  'ALTER TABLE auth_challenge ADD COLUMN opened_by BINARY(16) NULL',
  'ALTER TABLE auth_settings ADD COLUMN impersonation_ended_at DATETIME(3) NULL',
  `UPDATE auth_identity added JOIN auth_identity earlier
     ON earlier.user_id = added.user_id AND earlier.by_user = 0 AND earlier.verified_at IS NOT NULL
   SET added.by_user = 0 WHERE added.by_user = 1 AND added.verified_at IS NOT NULL`,
];
