/**
 * What the settings that all nodes share were at the last start (core/kernel/registry/identity.ts), and how often a
 * change of them was accepted.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS svc_identity (
    variable VARBINARY(64) NOT NULL,
    identity TEXT NULL,
    PRIMARY KEY (variable)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`,
  `CREATE TABLE IF NOT EXISTS svc_identity_change (
    id TINYINT NOT NULL,
    accepted INT UNSIGNED NOT NULL,
    PRIMARY KEY (id)
  ) ENGINE=InnoDB`,
  'INSERT IGNORE INTO svc_identity_change (id, accepted) VALUES (1, 0)',
];
