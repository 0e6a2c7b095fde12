/**
 * When an issued invoice was carried over, because the payment provider refused its amount as too small. The next
 * invoice takes its amount over.
 */
export const up: readonly string[] = ['ALTER TABLE billing_invoice ADD COLUMN carried_at DATETIME(3) NULL'];
