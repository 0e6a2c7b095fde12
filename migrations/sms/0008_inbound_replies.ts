/** Which received text a message answers. */
export const up: readonly string[] = ['ALTER TABLE sms_message ADD COLUMN in_reply_to BINARY(16) NULL'];
