/** Which prices `spent` and `reserved` of a month were computed by: a restart may bring others within the month. */
export const up: readonly string[] = ['ALTER TABLE billing_month ADD COLUMN prices_digest BINARY(16) NULL'];
