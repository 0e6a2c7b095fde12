/**
 * When a rotated key starts to sign: until then, verifiers may have cached a key set without it
 * (plugins/auth/signing-keys/active.ts).
 */
export const up: readonly string[] = ['ALTER TABLE auth_signing_key ADD COLUMN signs_from DATETIME(3) NULL'];
