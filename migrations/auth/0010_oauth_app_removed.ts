/** A removed provider is kept, without its secret, so that removing it again has the same answer. */
export const up: readonly string[] = ['ALTER TABLE auth_oauth_app ADD COLUMN removed_at DATETIME(3) NULL'];
