/**
 * Identities that a signed-in user added, as opposed to those that the user was created with
 * (plugins/auth/proofs/first-proof.ts).
 */
export const up: readonly string[] = ['ALTER TABLE auth_identity ADD COLUMN by_user TINYINT NOT NULL DEFAULT 0'];
