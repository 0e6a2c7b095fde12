/** The page on which an owner confirms a payment is derived from the invoice’s id and is not stored. */
export const up: readonly string[] = ['ALTER TABLE billing_payment_attempt DROP COLUMN action_url'];
