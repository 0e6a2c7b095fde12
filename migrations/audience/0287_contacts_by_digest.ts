/** Finds who has the address that a mail was sent to, from the digest in its preferences link. */
export const up: readonly string[] = [
  'ALTER TABLE audience_contact ADD KEY email_digest (environment_id, email_digest)',
];
