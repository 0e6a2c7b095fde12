/** The display names of recipients and reply addresses, by their address as it is stored; null without any. */
export const up: readonly string[] = ['ALTER TABLE email_message ADD COLUMN display_names JSON NULL'];
