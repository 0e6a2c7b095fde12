/**
 * Reservations of the cap by work that is metered in batches, such as a broadcast whose messages are still to be
 * created. And usage by its source, so that only recorded usage is reversed.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS billing_reservation (
    source_id VARBINARY(64) NOT NULL,
    meter VARBINARY(40) NOT NULL,
    country VARBINARY(2) NOT NULL,
    account_id BINARY(16) NOT NULL,
    period VARBINARY(7) NOT NULL,
    quantity BIGINT NOT NULL,
    unit_price BIGINT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (source_id, meter, country),
    KEY account (account_id, period)
  ) ENGINE=InnoDB`,
  'ALTER TABLE billing_usage ADD INDEX source (source_id)',
];
