import type { Channel, SuppressionReason } from '../../ports.js';

/** The page's text if a link does not open. */
export type PageError = 'invalid' | 'expired' | 'limited' | 'failed';

/** What a submitted form did. */
export const outcomes = ['saved', 'unsubscribedTopic', 'unsubscribed', 'allowed'] as const;
export type Outcome = (typeof outcomes)[number];

interface ChannelTexts {
  legend: string;
  /** Shown without topics to choose from. */
  noTopics: string;
  /** The button that unsubscribes from every topic of this channel. */
  unsubscribe: string;
  /** The button that undoes this. */
  allow: string;
  /** What a suppression blocks, and what the person can do about it. */
  reasons: Readonly<Record<SuppressionReason, string>>;
}

/** The page's texts in one language. {project} and {topic} are the customer's own names. */
export interface PreferencesTexts {
  title: string;
  heading: string;
  lead: string;
  channels: Readonly<Record<Channel, ChannelTexts>>;
  /** Shown if the contact has neither an address nor a number. */
  noAddress: string;
  unsubscribeTopic: { heading: string; text: string; button: string };
  save: string;
  unsubscribeAll: { heading: string; text: string; button: string };
  done: Readonly<Record<Outcome, string>>;
  /** Shown if the form no longer matches the topics: nothing was changed. */
  stale: { heading: string; text: string };
  errors: Readonly<Record<PageError, { heading: string; text: string; next: string }>>;
}
