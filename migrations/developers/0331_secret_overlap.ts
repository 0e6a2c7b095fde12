/** The signing secret before the current one, while a rotation lets both sign, and the signature it makes. */
export const up: readonly string[] = [
  'ALTER TABLE developers_webhook ADD COLUMN secret_before VARBINARY(200) NULL',
  'ALTER TABLE developers_webhook ADD COLUMN secret_before_until DATETIME(3) NULL',
  'ALTER TABLE developers_webhook ADD KEY secret_before_until (secret_before_until)',
  'ALTER TABLE developers_delivery ADD COLUMN signature_before BINARY(32) NULL',
];
