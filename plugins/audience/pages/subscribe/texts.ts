/** What a form did, as the page that follows states it. */
export const outcomes = ['asked', 'registered', 'subscribed', 'blocked'] as const;
export type Outcome = (typeof outcomes)[number];

/** Why a page of a form has nothing to offer. */
export type Problem = 'unknown' | 'invalid' | 'expired' | 'void' | 'limited' | 'closed' | 'failed';

/** The fields of the form that can be filled in wrongly. */
export type FormField = 'email' | 'firstName';

interface Message {
  heading: string;
  text: string;
}

/**
 * The texts of the subscribe form and its confirmation in one language. {brand} and {topic} are the customer's own
 * names, {days} is how long a link works.
 */
export interface SubscribeTexts {
  heading: string;
  email: string;
  firstName: string;
  /** Follows the label of a field that may stay empty. */
  optional: string;
  /** What the person agrees to. It is stored with the consent as evidence. */
  consent: string;
  button: string;
  mistakes: Readonly<Record<FormField, string>>;
  /** Label of the field that people do not see, for those whose browser shows it anyway. */
  leaveEmpty: string;
  confirm: { heading: string; text: string; button: string };
  done: Readonly<Record<Outcome, Message>>;
  problems: Readonly<Record<Problem, Message>>;
  /** The link to the form. */
  again: string;
  /** The link to the address that the topic names. */
  continue: string;
}
