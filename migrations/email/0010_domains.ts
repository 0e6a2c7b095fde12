import { queueTable } from '#core/runtime/work/tables.js';

/** Sending domains with their keys and daily checks, and references to templates and domains. */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS email_usage (
    environment_id BINARY(16) NOT NULL,
    kind VARBINARY(8) NOT NULL,
    target VARBINARY(253) NOT NULL,
    in_use_by_type VARBINARY(40) NOT NULL,
    in_use_by_id BINARY(16) NOT NULL,
    PRIMARY KEY (environment_id, kind, target, in_use_by_type, in_use_by_id),
    KEY in_use_by (in_use_by_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_domain (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    domain VARBINARY(253) NOT NULL,
    active_domain VARBINARY(253) NULL,
    proven_domain VARBINARY(253) NULL,
    status VARBINARY(8) NOT NULL,
    receiving TINYINT NOT NULL,
    pending_since DATETIME(3) NULL,
    last_check JSON NULL,
    last_checked_at DATETIME(3) NULL,
    verified_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    removed_at DATETIME(3) NULL,
    PRIMARY KEY (id),
    KEY environment (environment_id, id),
    UNIQUE KEY active (environment_id, active_domain),
    UNIQUE KEY proven (proven_domain)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_domain_key (
    domain_id BINARY(16) NOT NULL,
    selector VARBINARY(63) NOT NULL,
    algorithm VARBINARY(10) NOT NULL,
    public_key VARBINARY(500) NOT NULL,
    private_key_sealed VARBINARY(4000) NOT NULL,
    resolved TINYINT NOT NULL,
    PRIMARY KEY (domain_id, selector)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  queueTable('email_domain_queue'),
];
