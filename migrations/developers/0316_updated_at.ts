/** When a key was changed last, for `ifUnchangedSince`. Null for keys that were not changed since. */
export const up: readonly string[] = ['ALTER TABLE developers_key ADD COLUMN updated_at DATETIME(3) NULL'];
