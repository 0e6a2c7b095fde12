/** The processes that run, with their versions: a migration waits for those of another one (core/platform/nodes). */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS svc_node (
    id BINARY(16) NOT NULL,
    version VARCHAR(100) NOT NULL,
    seen_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
];
