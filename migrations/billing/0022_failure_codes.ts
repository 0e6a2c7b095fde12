/** Codes for the reasons of failed payments and setups, so that mails and pages state them in the reader’s language. */
export const up: readonly string[] = [
  'ALTER TABLE billing_invoice ADD COLUMN last_failure_code VARBINARY(40) NULL',
  'ALTER TABLE billing_payment_setup ADD COLUMN failure_code VARBINARY(40) NULL',
];
