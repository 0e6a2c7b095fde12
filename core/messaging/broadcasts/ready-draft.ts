import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { invalidFields } from '#core/kernel/errors/invalid-field.js';
import { messagingRefusalOf } from '../errors.js';
import type { ReadinessProblem } from '../readiness.js';
import { schedulePassed } from './readiness.js';
import type { PublishedTemplate } from '../templates/published.js';
import type { BroadcastFields, BroadcastTables } from '../broadcast-tables.js';

/** The result of a channel's readiness check. */
interface Checked {
  readonly readiness: {
    readonly problems: readonly ReadinessProblem[];
    readonly audience: { readonly eligible: number } | null;
  };
  readonly template: PublishedTemplate | null;
  /** Whether the check counted the audience to its end. */
  readonly isCounted: boolean;
}

/** A draft that can be sent, with the result of its check. */
interface ReadyDraft<B, C> {
  readonly draft: B;
  readonly checked: C;
  readonly template: PublishedTemplate;
  /** How many contacts would get it now, or a minimum if not `isCounted`. */
  readonly recipients: number;
  /** Whether the audience was counted to its end. */
  readonly isCounted: boolean;
  /** Whether its time is ahead. */
  readonly isLater: boolean;
}

/**
 * Locks the draft that a call sends, and refuses it if something is missing.
 * @param before the draft and its check before anything was locked
 * @param check checks it again, if it has changed since
 * @throws not_found, broadcast_not_draft, broadcast_not_ready, audience_too_large; invalid_input if its time has passed
 */
export async function lockReadyDraft<B extends BroadcastFields, C extends Checked>(
  { db, caller, clock, deployment }: Pick<Context, 'db' | 'clock' | 'deployment'> & { readonly caller: TenantCaller },
  { name, tables }: { readonly name: string; readonly tables: Pick<BroadcastTables<B>, 'broadcasts'> },
  before: { readonly row: B; readonly checked: C },
  check: (draft: B) => Promise<C>,
): Promise<ReadyDraft<B, C>> {
  const draft = await lockOwned(db, tables.broadcasts, caller, before.row.id);
  if (draft.status !== 'draft') throw messagingRefusalOf.broadcast_not_draft({ channel: name, status: draft.status });
  const isAsChecked = draft.updatedAt.getTime() === before.row.updatedAt.getTime();
  const checked = isAsChecked ? before.checked : await check(draft);
  const { readiness, template } = checked;
  const { problems, audience } = readiness;
  const missed = problems.find(({ code }) => code === schedulePassed);
  if (missed)
    throw invalidFields([
      { field: 'scheduledAt', problem: 'of the draft must not lie in the past', nextStep: missed.fix },
    ]);
  const isTooLarge = problems.some(({ code }) => code === 'audience_too_large');
  if (problems.length > (isTooLarge ? 1 : 0) || !template)
    throw messagingRefusalOf.broadcast_not_ready({
      channel: name,
      problems: problems.map(({ code }) => code).join(', '),
      details: { problems },
    });
  const recipients = audience?.eligible ?? 0;
  if (isTooLarge)
    throw messagingRefusalOf.audience_too_large({ recipients, limit: deployment.settings.broadcastRecipients });
  const isLater = draft.scheduledAt !== null && draft.scheduledAt > clock.now();
  return { draft, checked, template, recipients, isCounted: checked.isCounted, isLater };
}
