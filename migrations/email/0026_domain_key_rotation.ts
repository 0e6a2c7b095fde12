/** When a newer DKIM key of the domain began to sign in place of this one. */
export const up: readonly string[] = ['ALTER TABLE email_domain_key ADD COLUMN replaced_at DATETIME(3) NULL'];
