/** When a message's content was deleted because of its age. */
export const up: readonly string[] = ['ALTER TABLE email_message ADD COLUMN content_removed_at DATETIME(3) NULL'];
