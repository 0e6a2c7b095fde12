/** The amount that an invoice moves to the next one, its seller, and the month of usage that was recorded late. */
export const up: readonly string[] = [
  `ALTER TABLE billing_invoice
     ADD COLUMN carried BIGINT NOT NULL DEFAULT 0,
     ADD COLUMN letterhead JSON NULL`,
  'ALTER TABLE billing_invoice_line ADD COLUMN usage_period VARBINARY(7) NULL',
];
