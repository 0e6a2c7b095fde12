import { queueTable } from '#core/runtime/work/tables.js';

/**
 * Events get a position in their environment’s log after they have committed, and each consumer receives them in its
 * own batches (core/kernel/events). Earlier events get positions too; they are marked direct, because consumers already
 * had them.
 */
export const up: readonly string[] = [
  `ALTER TABLE svc_event
    ADD COLUMN lane TINYINT NOT NULL DEFAULT 1,
    ADD COLUMN direct TINYINT NOT NULL DEFAULT 0,
    ADD COLUMN position BIGINT NULL,
    DROP KEY fan_out,
    DROP KEY environment,
    DROP KEY type,
    DROP KEY subject,
    ADD KEY pending (pending, lane, environment_id, id),
    ADD KEY log (environment_id, position),
    ADD KEY type (environment_id, type, position),
    ADD KEY subject (environment_id, subject_id, position)`,
  'UPDATE svc_event SET direct = 1, pending = 1 WHERE pending IS NULL AND position IS NULL',
  `CREATE TABLE IF NOT EXISTS svc_event_counter (
    environment_id BINARY(16) NOT NULL,
    position BIGINT NOT NULL,
    PRIMARY KEY (environment_id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS svc_event_batch (
    id BINARY(16) NOT NULL,
    consumer VARBINARY(100) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    lane TINYINT NOT NULL,
    first_position BIGINT NOT NULL,
    last_position BIGINT NOT NULL,
    error VARCHAR(500) NULL,
    PRIMARY KEY (id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  queueTable('svc_event_batch_queue'),
];
