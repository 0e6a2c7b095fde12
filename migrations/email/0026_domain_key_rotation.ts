/** Since when a newer DKIM key of the domain signs in place of this one. */
export const up: readonly string[] = ['ALTER TABLE email_domain_key ADD COLUMN replaced_at DATETIME(3) NULL'];
