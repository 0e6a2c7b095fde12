/** A description of what a failed step of an automation’s run was missing. */
export const up: readonly string[] = ['ALTER TABLE email_automation_history ADD COLUMN detail VARCHAR(1000) NULL'];
