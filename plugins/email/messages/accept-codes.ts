/** The errors with which the call that accepts one message refuses it, by HTTP and by SMTP. */
export const acceptErrors = [
  'missing_variables',
  'template_invalid',
  'template_not_published',
  'sender_not_verified',
  'attachments_too_large',
  'account_closed',
  'spending_cap_reached',
  'topic_archived',
] as const;

/** The events of a message that such a call accepts. */
export const acceptEvents = [
  'email.queued',
  'email.sent',
  'email.failed',
  'email.suppressed',
  'email.bounced',
] as const;
