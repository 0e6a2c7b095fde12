/** A removed provider is kept, without its secret, so that removing it again answers the same. */
export const up: readonly string[] = ['ALTER TABLE auth_oauth_app ADD COLUMN removed_at DATETIME(3) NULL'];
