export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS developers_key (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    name VARCHAR(120) NOT NULL,
    kind VARBINARY(11) NOT NULL,
    prefix VARBINARY(20) NOT NULL,
    digest BINARY(32) NOT NULL,
    permissions JSON NOT NULL,
    allowed_origins JSON NULL,
    role VARBINARY(10) NOT NULL,
    member_id BINARY(16) NULL,
    lineage_id BINARY(16) NOT NULL,
    created_by VARCHAR(254) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    last_used_at DATETIME(3) NULL,
    revoked_at DATETIME(3) NULL,
    PRIMARY KEY (id),
    UNIQUE KEY digest (digest),
    KEY environment (environment_id, id),
    KEY member (member_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
];
