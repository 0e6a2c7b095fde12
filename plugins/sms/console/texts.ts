/* The texts of the screens of text messages that are longer than a label. */

export const texts = {
  sub: 'Every text message of this environment, with what became of it.',
  emptyTitle: 'No texts yet.',
  empty: 'A text appears here the moment it is accepted: sent, delivered, or blocked and why.',
  system: 'A text of svc’s own, such as a sign-in code. Its content cannot be read by anyone.',
  noContent: 'The content is not there: the text has not left yet, its recipient was erased, or it was deleted by age.',
  failed: 'The provider or carrier refused it. It is not tried again.',
  cancel: 'The text is not sent. This cannot be undone.',
  notTried: 'It has not been handed to the provider.',
} as const;
