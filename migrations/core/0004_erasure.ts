import { workTable } from '#core/runtime/work/queue.js';

/**
 * Erasing a person: what is asked for, with the addresses sealed until it is done, and the ways to everything that
 * speaks of the person: from an event or an audit record to the answer stored beside it, and from a thing to its events
 * and audit records.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS svc_erasure (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    person_id BINARY(16) NOT NULL,
    addresses_sealed VARBINARY(2000) NOT NULL,
    requested_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id)
  ) ENGINE=InnoDB`,
  workTable('svc_erasure_queue'),
  'ALTER TABLE svc_idempotency ADD COLUMN activity_id BINARY(16) NULL',
  'ALTER TABLE svc_idempotency ADD KEY activity (activity_id)',
  'ALTER TABLE svc_event ADD KEY subject (environment_id, subject_id, id)',
  'ALTER TABLE svc_activity ADD KEY subject (environment_id, subject_id, id)',
];
