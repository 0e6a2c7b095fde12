/**
 * The tables that every request needs: environments, audit records, events, stored answers, limits. Names that must
 * match exactly are VARBINARY, because default collations treat `A` and `a` as equal.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS svc_environment (
    id BINARY(16) NOT NULL,
    project_id BINARY(16) NOT NULL,
    account_id BINARY(16) NOT NULL,
    kind VARBINARY(4) NOT NULL,
    closed_at DATETIME(3) NULL,
    last_closed_at DATETIME(3) NULL,
    reopened_at DATETIME(3) NULL,
    operator TINYINT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY project_kind (project_id, kind),
    KEY account (account_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS svc_activity (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    account_id BINARY(16) NOT NULL,
    account_wide TINYINT NOT NULL,
    operation VARBINARY(100) NOT NULL,
    actor_kind VARBINARY(10) NOT NULL,
    actor_id VARBINARY(64) NOT NULL,
    actor_label VARCHAR(254) NOT NULL,
    subject_type VARBINARY(40) NULL,
    subject_id VARBINARY(255) NULL,
    person_id BINARY(16) NULL,
    summary VARCHAR(500) NOT NULL,
    changes MEDIUMTEXT NOT NULL,
    request_id BINARY(16) NOT NULL,
    ip VARCHAR(45) NOT NULL,
    user_agent VARCHAR(300) NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY environment (environment_id, id),
    KEY account (account_id, account_wide, id),
    KEY person (person_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS svc_event (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    type VARBINARY(100) NOT NULL,
    activity_id BINARY(16) NULL,
    subject_type VARBINARY(40) NOT NULL,
    subject_id VARBINARY(255) NOT NULL,
    person_id BINARY(16) NULL,
    data MEDIUMTEXT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY environment (environment_id, id),
    KEY activity (activity_id),
    KEY person (person_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS svc_idempotency (
    id BINARY(32) NOT NULL,
    fingerprint BINARY(32) NOT NULL,
    answer MEDIUMBLOB NULL,
    sealed TINYINT NOT NULL,
    lease_until DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY created (created_at)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS svc_limit (
    id BINARY(32) NOT NULL,
    hits INT NOT NULL,
    resets_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY resets (resets_at)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS svc_ceiling (
    key_id BINARY(16) NOT NULL,
    ledger TEXT NOT NULL,
    PRIMARY KEY (key_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
];
