/**
 * The messages of a broadcast that wait for their first attempt, up to 500 in a row: those from `id` to `last_id` that
 * are queued and have no row in email_queue. The other columns are those of a queue (core/runtime/work/tables.ts).
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS email_chunk (
    id BINARY(16) NOT NULL,
    partition_id BINARY(16) NOT NULL,
    lane TINYINT NOT NULL,
    due_at DATETIME(3) NOT NULL,
    attempts INT NOT NULL,
    leased TINYINT NOT NULL,
    lease_token BINARY(16) NULL,
    lease_until DATETIME(3) NULL,
    last_id BINARY(16) NOT NULL,
    PRIMARY KEY (id),
    KEY claim (leased, lane, partition_id, due_at, id),
    KEY expiry (leased, lease_until)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
];
