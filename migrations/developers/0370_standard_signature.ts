/**
 * The signatures of the header `webhook-signature` (Standard Webhooks): with the endpoint's secret, and with the one
 * before if a rotation let both sign.
 */
export const up: readonly string[] = [
  'ALTER TABLE developers_delivery ADD COLUMN standard_signature BINARY(32) NULL',
  'ALTER TABLE developers_delivery ADD COLUMN standard_signature_before BINARY(32) NULL',
];
