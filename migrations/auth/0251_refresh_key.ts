/** Recognises a repeat of the refresh whose reply was lost (plugins/auth/sessions/refresh-token.ts). */
export const up: readonly string[] = ['ALTER TABLE auth_session ADD COLUMN refresh_key_digest BINARY(32) NULL'];
