import type { Environment } from '#core/kernel/caller/caller.js';
import type { Delivery, RecipientEligibility } from '../driver.js';
import { dueAt, isStale } from '../due.js';
import type { MessageFields } from '../tables.js';
import type { LastCheck, Prepared } from './prepare.js';
import { waiting } from './recheck.js';
import type { Blocking, Outcome } from './record.js';

/** A message that must be submitted now. */
interface Ready<M extends MessageFields, C> {
  /** The data recorded about it, except for the result. */
  readonly outcome: Omit<Outcome<M>, 'result'>;
  readonly delivery: Delivery<M, C>;
}

/** What to do with a message after its last check. */
export type Decision<M extends MessageFields, C> =
  | { readonly kind: 'send'; readonly ready: Ready<M, C> }
  /** It ends unsent: cancelled, or no recipient is left who may receive it. `blocked` states why, by address. */
  | {
      readonly kind: 'end';
      readonly result: 'cancelled' | 'none';
      readonly environment: Environment;
      readonly blocked: ReadonlyMap<string, Blocking>;
    }
  /** It returns to the queue and waits until the account is reopened or the broadcast is resumed. */
  | { readonly kind: 'requeue' }
  /** Its lease is lost: another worker has it, or it no longer exists. Nothing needs to be done. */
  | { readonly kind: 'lost' };

/** Decides whether a message is sent now, by the result of its last check. */
export function decide<M extends MessageFields, C>(
  { candidate, content }: Pick<Prepared<M, C>, 'candidate' | 'content'>,
  { checked, submitBy }: LastCheck,
): Decision<M, C> {
  if (checked.kind === 'lost') return checked;
  const { claim, message, recipients } = candidate;
  const { environment, closure, broadcast, eligibility } = checked;
  if (broadcast === 'closed') return { kind: 'end', result: 'cancelled', environment, blocked: new Map() };
  if (environment.closedAt || broadcast === 'held') return { kind: 'requeue' };
  const blocked = new Map(
    eligibility.flatMap(({ address, blockReason: reason, blockedBy: by }) =>
      reason === null ? [] : [[address, { reason, by }] as const],
    ),
  );
  const reached = waiting(recipients).filter(({ address }) => !blocked.has(address));
  if (reached.length === 0) return { kind: 'end', result: 'none', environment, blocked };
  // A message of a broadcast is never stale: the closure held the broadcast until somebody resumed it.
  if (broadcast === null && isStale(dueAt(message), closure))
    return { kind: 'end', result: 'cancelled', environment, blocked };
  // The rendered content of a broadcast's message has its own link.
  const preferencesUrl = broadcast === null ? firstPreferencesUrl(eligibility) : null;
  return {
    kind: 'send',
    ready: {
      outcome: { claim, message, environment, recipients, blocked },
      delivery: {
        message,
        environment,
        content,
        preferencesUrl,
        recipients: reached,
        attempt: claim.attempts,
        submitBy,
      },
    },
  };
}

function firstPreferencesUrl(eligibility: readonly RecipientEligibility[]): string | null {
  for (const { preferencesUrl } of eligibility) if (preferencesUrl !== null) return preferencesUrl;
  return null;
}
