import { choiceText } from './words.js';

type Tone = 'good' | 'warn' | 'bad' | 'run' | '';

const tones: Readonly<Record<Exclude<Tone, ''>, readonly string[]>> = {
  good: [
    'accepted',
    'active',
    'approved',
    'completed',
    'delivered',
    'enabled',
    'granted',
    'healthy',
    'paid',
    'passed',
    'published',
    'sent',
    'subscribed',
    'succeeded',
    'verified',
    'ready',
    'received',
  ],
  warn: [
    'blocked',
    'closed',
    'complained',
    'degraded',
    'delayed',
    'held',
    'invited',
    'past_due',
    'paused',
    'suppressed',
    'unconfirmed',
    'unsubscribed',
    'withdrawn',
    'archived',
    'partial',
    'retrying',
    'waiting_for_you',
  ],
  bad: [
    'banned',
    'bounced',
    'disabled',
    'failed',
    'failing',
    'rejected',
    'revoked',
    'expired',
    'undelivered',
    'unpaid',
  ],
  run: ['importing', 'in_progress', 'processing', 'queued', 'running', 'scheduled', 'sending', 'verifying', 'open'],
};

/** The colour of a status; none for words that it does not know. */
export const toneOf = (status: string): Tone =>
  (['good', 'warn', 'bad', 'run'] as const).find((tone) => tones[tone].includes(status)) ?? '';

/** A status: a dot and a word. */
export const Status = ({ status, tone = toneOf(status) }: { status: string; tone?: Tone }) => (
  <span class={`st ${tone}`}>{choiceText(status)}</span>
);
