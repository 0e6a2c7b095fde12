/**
 * A row that changes every second if the deployment has replicas for reads: a replica that has a value has everything
 * that was committed before it (core/runtime/database/replica). Processes that ask once a second also see the value
 * before.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS svc_heartbeat (
    id TINYINT NOT NULL,
    beat BINARY(16) NULL,
    at DATETIME(3) NOT NULL,
    previous_beat BINARY(16) NULL,
    previous_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id)
  ) ENGINE=InnoDB`,
  `INSERT IGNORE INTO svc_heartbeat (id, beat, at, previous_beat, previous_at)
   VALUES (1, NULL, NOW(3) - INTERVAL 1 MINUTE, NULL, NOW(3) - INTERVAL 1 MINUTE)`,
];
