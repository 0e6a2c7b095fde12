import { workTable } from '#core/runtime/work/queue.js';

/** Imports, their rows in parts until each part is processed, and the rejected rows. */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS audience_import (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    status VARBINARY(7) NOT NULL,
    options MEDIUMTEXT NOT NULL,
    total INT NOT NULL,
    processed INT NOT NULL,
    created INT NOT NULL,
    updated INT NOT NULL,
    rejected INT NOT NULL,
    failures INT NOT NULL,
    activity_id BINARY(16) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    started_at DATETIME(3) NULL,
    finished_at DATETIME(3) NULL,
    PRIMARY KEY (id),
    KEY environment (environment_id, id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  // Parts of at most 1 MiB: larger values break the connection (docs/reliability.md).
  `CREATE TABLE IF NOT EXISTS audience_import_part (
    import_id BINARY(16) NOT NULL,
    position INT NOT NULL,
    first_row INT NOT NULL,
    contacts MEDIUMTEXT NOT NULL,
    PRIMARY KEY (import_id, position)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS audience_import_rejection (
    import_id BINARY(16) NOT NULL,
    row_no INT NOT NULL,
    code VARBINARY(40) NOT NULL,
    message VARCHAR(1000) NOT NULL,
    PRIMARY KEY (import_id, row_no)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  workTable('audience_import_queue'),
];
