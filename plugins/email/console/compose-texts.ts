/* The texts of writing an email and of received mail that are longer than a label. */

export const composeTexts = {
  sub: 'To one person or a few, about something of theirs. For news to many, create a broadcast.',
  to: 'A name, or an address. Enter adds it.',
  noTopic: 'Nothing to agree to: an order, an answer, a notice',
  topicHint: 'News and offers need a topic, and their consent to it. With a topic there is exactly one recipient.',
  writeHint: 'Sent as you write it: nothing is replaced.',
  files: 'Files, up to 10 MB together. They can be dropped here too.',
  tooLarge: 'The files are larger than 10 MB together.',
  variables: 'The template needs these values.',
  sent: 'The email is on its way.',
} as const;

export const inboxTexts = {
  sub: 'Mail that people have sent to your addresses, by person, the newest first.',
  emptyTitle: 'No mail yet.',
  empty: 'Mail arrives here once a domain receives it. Turn on receiving on the page of a domain.',
  automatic: 'Sent by a program, such as an out-of-office reply. Nobody waits for an answer.',
  forged: 'The sender could not be proven. Anyone can write this address as the sender.',
  noText: 'It has no plain text.',
  reply: 'They see it in the same thread.',
} as const;
