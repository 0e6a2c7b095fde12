/** The currency of every amount that billing stores: one row. */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS billing_currency (
    id INT NOT NULL,
    currency VARBINARY(3) NOT NULL,
    PRIMARY KEY (id)
  ) ENGINE=InnoDB`,
];
