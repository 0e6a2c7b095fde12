/** What a failed step of an automation's run lacked, in words. */
export const up: readonly string[] = ['ALTER TABLE email_automation_history ADD COLUMN detail VARCHAR(1000) NULL'];
