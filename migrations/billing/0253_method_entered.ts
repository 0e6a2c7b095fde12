/**
 * When the payment method was entered at the provider: an older one that is reported later does not replace it. The
 * index finds the setups that a job asks about.
 */
export const up: readonly string[] = [
  'ALTER TABLE billing_account ADD COLUMN payment_method_entered_at DATETIME(3) NULL',
  'ALTER TABLE billing_payment_setup ADD INDEX started (status, created_at)',
];
