/** The prices that `spent` and `reserved` of a month were computed with: a restart may change them within the month. */
export const up: readonly string[] = ['ALTER TABLE billing_month ADD COLUMN prices_digest BINARY(16) NULL'];
