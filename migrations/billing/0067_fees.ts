/** What a fee of a carrier is for, which invoices say in every language. Null for fees that an operator describes. */
export const up: readonly string[] = [
  'ALTER TABLE billing_passthrough ADD COLUMN fee JSON NULL',
  'ALTER TABLE billing_invoice_line ADD COLUMN fee JSON NULL',
];
