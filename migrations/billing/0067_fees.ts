/** The kind of a carrier’s fee, which invoices name in each language. Null for fees that an operator describes. */
export const up: readonly string[] = [
  'ALTER TABLE billing_passthrough ADD COLUMN fee JSON NULL',
  'ALTER TABLE billing_invoice_line ADD COLUMN fee JSON NULL',
];
