import { workTable } from '#core/runtime/work/queue.js';

/**
 * Erasing a person: the request, with the addresses encrypted until it is completed, and the indexes that find
 * everything about the person: from an event or audit record to its stored answer, and from an object to its events and
 * audit records.
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
