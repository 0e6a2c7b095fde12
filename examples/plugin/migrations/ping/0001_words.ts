import { queueTable } from '#core/runtime/work/tables.js';

export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS ping_word (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    word VARCHAR(100) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY listed (environment_id, id),
    UNIQUE KEY word (environment_id, word)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS ping_count (
    environment_id BINARY(16) NOT NULL PRIMARY KEY,
    added INT NOT NULL
  ) ENGINE=InnoDB`,
  queueTable('ping_forward_queue'),
];
