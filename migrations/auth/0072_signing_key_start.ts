/**
 * From when on a rotated key signs: verifiers may keep the set without it until then
 * (plugins/auth/signing-keys/active.ts).
 */
export const up: readonly string[] = ['ALTER TABLE auth_signing_key ADD COLUMN signs_from DATETIME(3) NULL'];
