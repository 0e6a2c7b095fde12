import type { EmailSystemTemplate } from '#core/messaging/system-template.js';

const en = {
  subject: 'Thank you for “{{ word }}”',
  heading: 'Thank you',
  body: 'The word {{ word }} was added.',
  footer: 'You get this mail because you suggested a word.',
};

/**
 * Sent with `use(transactionalMail).queue(environment, { template: wordSuggested, … })`; a project may override its
 * texts.
 */
export const wordSuggested: EmailSystemTemplate = {
  name: 'ping.word.suggested',
  channel: 'email',
  description: 'Thanks a person for a word.',
  budget: 'notice',
  variables: ['word'],
  requiredVariables: ['word'],
  // Each language needs its own texts. The example repeats the English ones; translate yours.
  locales: { en, de: en, fr: en, es: en, pt: en },
};
