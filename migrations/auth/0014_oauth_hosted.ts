/**
 * A sign-in at a provider that a hosted page started returns to that page, which completes it (docs/hosted-pages.md).
 */
export const up: readonly string[] = ['ALTER TABLE auth_oauth_state ADD COLUMN hosted TINYINT NOT NULL DEFAULT 0'];
