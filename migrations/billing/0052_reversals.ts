/**
 * Reversals of closed months, valued at what the units cost then and credited in a later month. The prices of each
 * closed month, so that a new prices file does not change its reversals. And the amount that a cancelled invoice moves
 * to the next one.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS billing_reversal (
    account_id BINARY(16) NOT NULL,
    period VARBINARY(7) NOT NULL,
    used_period VARBINARY(7) NOT NULL,
    meter VARBINARY(40) NOT NULL,
    project_id BINARY(16) NOT NULL,
    day INT NOT NULL,
    country VARBINARY(2) NOT NULL,
    is_test TINYINT NOT NULL,
    quantity BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (account_id, period, used_period, meter, project_id, day, country, is_test),
    KEY used (account_id, used_period)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS billing_price_set (
    digest BINARY(16) NOT NULL,
    entries JSON NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (digest)
  ) ENGINE=InnoDB`,
  'ALTER TABLE billing_month ADD COLUMN charged_digest BINARY(16) NULL',
  `ALTER TABLE billing_invoice
     ADD COLUMN restored BIGINT NOT NULL DEFAULT 0,
     ADD COLUMN restored_to BINARY(16) NULL`,
];
