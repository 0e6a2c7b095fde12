/* The texts of the screens of messages that are longer than a label. */

export const messageTexts = {
  sub: 'Every email in this environment: single messages, broadcasts, automations and sign-in emails.',
  emptyTitle: 'No emails yet.',
  empty: 'An email appears here the moment it is accepted, with its outcome: sent, bounced, or blocked and why.',
  system: 'An email of svc’s own, such as a sign-in code. Its content cannot be read by anyone.',
  noContent: 'The content is gone: a recipient was erased, or it was deleted because of its age.',
  renderedNow: 'This is rendered now from the contact as it is today; the broadcast may have sent different words.',
  hardBounce: 'The address does not work. It was added to the suppression list, and is not emailed again.',
  softBounce: 'The mail server rejected it for now; svc keeps emailing the address.',
  failed: 'The mail server rejected it. svc won’t retry it.',
  retrying: 'The mail server rejected it for now. svc tries again until it is accepted or svc gives up.',
  complained: 'A recipient marked it as spam. They are not emailed again.',
  partly: 'Not sent to everyone: these recipients are suppressed.',
  cancel: 'The message is not sent. This cannot be undone.',
} as const;
