/** The messages that wait for another attempt, and when the mail server has last accepted one. */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS email_retry (
    message_id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    since DATETIME(3) NOT NULL,
    tried_at DATETIME(3) NOT NULL,
    of_relay TINYINT NOT NULL,
    PRIMARY KEY (message_id),
    KEY oldest (of_relay, since),
    KEY environment (environment_id, of_relay, since),
    KEY tried (tried_at)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_relay (
    id INT NOT NULL,
    accepted_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
];
