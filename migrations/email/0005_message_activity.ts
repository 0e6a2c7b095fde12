/** A message knows the audit record of the call that accepted it, which the events of its delivery refer to. */
export const up: readonly string[] = ['ALTER TABLE email_message ADD COLUMN activity_id BINARY(16) NULL'];
