/** When a member's role or permissions were changed last, for `ifUnchangedSince`. Null for members whose were not. */
export const up: readonly string[] = ['ALTER TABLE account_member ADD COLUMN updated_at DATETIME(3) NULL'];
