/** How a message came by SMTP submission, and what it keeps of the submitted headers; null for all other messages. */
export const up: readonly string[] = ['ALTER TABLE email_message ADD COLUMN submission JSON NULL'];
