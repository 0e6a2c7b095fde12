/** Refunds, payments that the bank reversed, and how far the provider’s events were read. */
export const up: readonly string[] = [
  `ALTER TABLE billing_payment_attempt
     ADD COLUMN refunded BIGINT NOT NULL DEFAULT 0,
     ADD INDEX provider_payment (provider_id)`,
  `ALTER TABLE billing_invoice
     ADD COLUMN refunded BIGINT NOT NULL DEFAULT 0,
     ADD COLUMN taken_back_at DATETIME(3) NULL`,
  `CREATE TABLE IF NOT EXISTS billing_payment_feed (
    provider VARBINARY(20) NOT NULL,
    read_until DATETIME(3) NOT NULL,
    PRIMARY KEY (provider)
  ) ENGINE=InnoDB`,
];
