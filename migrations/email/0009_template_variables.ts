/** The variables that each content uses. */
export const up: readonly string[] = ['ALTER TABLE email_template_content ADD COLUMN variables JSON NOT NULL'];
