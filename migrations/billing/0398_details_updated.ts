/** When the billing details were changed last, for `ifUnchangedSince`. Null for details that were not changed since. */
export const up: readonly string[] = ['ALTER TABLE billing_account ADD COLUMN details_updated_at DATETIME(3) NULL'];
