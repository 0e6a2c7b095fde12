/**
 * Sign-ins with a provider that a hosted page started come back to that page, which completes them
 * (docs/hosted-pages.md).
 */
export const up: readonly string[] = ['ALTER TABLE auth_oauth_state ADD COLUMN hosted TINYINT NOT NULL DEFAULT 0'];
