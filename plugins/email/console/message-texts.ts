/* The texts of the screens of messages that are longer than a label. */

export const messageTexts = {
  sub: 'Every email of this environment: single messages, broadcasts, automations and the mails of sign-in.',
  emptyTitle: 'No emails yet.',
  empty: 'An email appears here the moment it is accepted, with what becomes of it: sent, bounced, or blocked and why.',
  system: 'Mail of svc’s own, such as a sign-in code. Its content cannot be read by anyone.',
  noContent: 'The content is gone: a recipient was erased, or it was deleted because of its age.',
  renderedNow:
    'This is rendered now from the contact as it is today; what was sent in the broadcast may have had other words.',
  hardBounce: 'The address does not work. It was added to the suppression list, and is not emailed again.',
  softBounce: 'The mail server refused it for now; the address is emailed again.',
  failed: 'The mail server refused it. It is not tried again.',
  retrying: 'The mail server refused it for now. It is tried again until it is taken, or given up.',
  complained: 'A recipient marked it as spam. They are not emailed again.',
  partly: 'Not sent to everyone: these recipients are suppressed.',
  cancel: 'The message is not sent. This cannot be undone.',
} as const;
