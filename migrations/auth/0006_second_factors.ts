/**
 * Wrong TOTP codes of a factor within a day. Signature counters are unsigned 32-bit integers (WebAuthn Level 3, section
 * 6.1).
 */
export const up: readonly string[] = [
  'ALTER TABLE auth_factor ADD COLUMN wrong_codes SMALLINT NOT NULL DEFAULT 0, ADD COLUMN wrong_codes_since DATETIME(3) NULL',
  'ALTER TABLE auth_passkey MODIFY sign_count BIGINT NOT NULL',
];
