/**
 * The contacts that an environment has texted and from which number, for texts that were deleted because of their age.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS sms_last_text (
    to_number VARBINARY(20) NOT NULL,
    from_number VARBINARY(20) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    message_id BINARY(16) NOT NULL,
    PRIMARY KEY (to_number, from_number, environment_id)
  ) ENGINE=InnoDB`,
];
