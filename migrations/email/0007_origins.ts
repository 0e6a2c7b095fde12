/** The origin of a message, and its outcome after it was accepted. */
export const up: readonly string[] = [
  `ALTER TABLE email_message
    ADD COLUMN template_version INT NULL,
    ADD COLUMN template_locale VARBINARY(35) NULL,
    ADD COLUMN broadcast_id BINARY(16) NULL,
    ADD COLUMN automation_id BINARY(16) NULL,
    ADD COLUMN automation_run_id BINARY(16) NULL,
    ADD COLUMN delivered_at DATETIME(3) NULL,
    ADD COLUMN bounced_at DATETIME(3) NULL,
    ADD COLUMN bounce_kind VARBINARY(4) NULL,
    ADD COLUMN bounce_code VARBINARY(20) NULL,
    ADD COLUMN bounce_detail VARCHAR(500) NULL`,
];
