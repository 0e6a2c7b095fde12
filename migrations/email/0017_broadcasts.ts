import { queueTable } from '#core/runtime/work/tables.js';

/** Broadcasts, the counts of their messages by status, and the work of sending and cancelling them. */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS email_broadcast (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    name VARCHAR(120) NOT NULL,
    template VARBINARY(120) NOT NULL,
    topic VARBINARY(64) NOT NULL,
    segment_id BINARY(16) NULL,
    variables JSON NOT NULL,
    scheduled_at DATETIME(3) NULL,
    status VARBINARY(12) NOT NULL,
    hold_reason VARBINARY(20) NULL,
    template_version_id BINARY(16) NULL,
    template_version INT NULL,
    activity_id BINARY(16) NULL,
    last_contact_id BINARY(16) NULL,
    fanned_out_at DATETIME(3) NULL,
    released_at DATETIME(3) NULL,
    bounces_reported_at DATETIME(3) NULL,
    cancelled_at DATETIME(3) NULL,
    sent_at DATETIME(3) NULL,
    completed_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    from_address VARCHAR(254) NOT NULL,
    from_name VARCHAR(120) NULL,
    reply_to VARCHAR(254) NULL,
    legal_address VARCHAR(500) NULL,
    subject TEXT NULL,
    PRIMARY KEY (id),
    KEY environment (environment_id, id),
    KEY environment_status (environment_id, status, id),
    KEY status (status, id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  // One row per broadcast, apart from it: recording outcomes locks this row, never the broadcast's.
  `CREATE TABLE IF NOT EXISTS email_broadcast_count (
    broadcast_id BINARY(16) NOT NULL,
    recipients INT NOT NULL,
    queued INT NOT NULL,
    sent INT NOT NULL,
    failed INT NOT NULL,
    suppressed INT NOT NULL,
    cancelled INT NOT NULL,
    bounced INT NOT NULL,
    PRIMARY KEY (broadcast_id)
  ) ENGINE=InnoDB`,
  queueTable('email_broadcast_queue'),
  // Nobody is in a broadcast twice. The second index is for lists, which are ordered by id.
  `ALTER TABLE email_message
    ADD UNIQUE KEY broadcast_contact (broadcast_id, contact_id),
    ADD KEY broadcast (broadcast_id, id)`,
];
