/**
 * The DDL of a queue's table, for a migration. `leased` comes first in the claim index so that leased rows are not
 * read. The index order matches the ORDER BY of a claim, because a claim that has to sort would lock the whole queue.
 */
export const queueTable = (table: string): string => `CREATE TABLE IF NOT EXISTS ${table} (
  id BINARY(16) NOT NULL,
  partition_id BINARY(16) NOT NULL,
  lane TINYINT NOT NULL,
  due_at DATETIME(3) NOT NULL,
  attempts INT NOT NULL,
  leased TINYINT NOT NULL,
  lease_token BINARY(16) NULL,
  lease_until DATETIME(3) NULL,
  PRIMARY KEY (id),
  KEY claim (leased, lane, partition_id, due_at, id),
  KEY expiry (leased, lease_until)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`;

/**
 * The DDL of queue tables that were created before their columns were renamed. Released migrations call it, so it must
 * never change; new migrations use `queueTable`.
 */
export const workTable = (table: string): string => `CREATE TABLE IF NOT EXISTS ${table} (
  id BINARY(16) NOT NULL,
  party_id BINARY(16) NOT NULL,
  lane TINYINT NOT NULL,
  due_at DATETIME(3) NOT NULL,
  attempts INT NOT NULL,
  held TINYINT NOT NULL,
  lease BINARY(16) NULL,
  lease_until DATETIME(3) NULL,
  PRIMARY KEY (id),
  KEY claim (held, lane, party_id, due_at, id),
  KEY expiry (held, lease_until)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`;

/** Gives a table made by `workTable` the columns of `queueTable`, for a migration. */
export const renameQueueColumns = (table: string): string => `ALTER TABLE ${table}
  RENAME COLUMN party_id TO partition_id, RENAME COLUMN held TO leased, RENAME COLUMN lease TO lease_token`;
