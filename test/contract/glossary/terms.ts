/** What texts for people name again and again. Each has one word in each language, in that language's file. */
export const concepts = [
  'sign in',
  'sign out',
  'sign-in code',
  'two-step sign-in',
  'authenticator app',
  'recovery code',
  'passkey',
  'password',
  'link',
  'device',
  'account',
  'organization',
  'owner',
  'administrator',
  'role',
  'invitation',
  'accept',
  'email',
  'email address',
  'text message',
  'phone number',
  'broadcast',
  'newsletter',
  'topic',
  'unsubscribe',
  'on hold',
  'sending domain',
  'DNS record',
  'webhook endpoint',
  'key',
  'invoice',
  'due',
  'overdue',
  'payment method',
  'payment provider',
  'refund',
  'spending cap',
  'operator',
  'expire',
  'request ID',
  'try again',
  'amount due',
  'carrier',
  'spam',
] as const;
type Concept = (typeof concepts)[number];

/**
 * The word of one language for a concept. Words are regular expressions at the beginning of a word, whatever their
 * case.
 */
interface Term {
  /** The word to use; some text has it. */
  readonly use: string;
  /** Synonyms that no text has. */
  readonly not?: readonly string[];
}

export type Glossary = Readonly<Record<Concept, Term>>;
