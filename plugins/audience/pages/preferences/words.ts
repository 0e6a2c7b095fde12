import type { Channel, SuppressionReason } from '../../ports.js';

/** What can be wrong with a preferences link, as the person who holds it is told. */
export type Trouble = 'unknown' | 'expired' | 'limited' | 'failed';

/** What a submitted form did. */
export const outcomes = ['saved', 'left', 'ended', 'again'] as const;
export type Outcome = (typeof outcomes)[number];

interface ChannelWords {
  legend: string;
  /** There are no topics. */
  nothing: string;
  /** What the button says that ends this channel alone. */
  end: string;
  again: string;
  /** Why nothing arrives, and what can be done about it. */
  reasons: Readonly<Record<SuppressionReason, string>>;
}

/** What the page says, in one language. {project} and {topic} are the customer’s own names. */
export interface PreferencesWords {
  title: string;
  heading: string;
  lead: string;
  channels: Readonly<Record<Channel, ChannelWords>>;
  /** Where there is no address at all. */
  nobody: string;
  leave: { heading: string; said: string; button: string };
  save: string;
  end: { heading: string; said: string; button: string };
  done: Readonly<Record<Outcome, string>>;
  /** What the form showed is no longer so: nothing was changed. */
  stale: { heading: string; said: string };
  troubles: Readonly<Record<Trouble, { heading: string; said: string; next: string }>>;
}
