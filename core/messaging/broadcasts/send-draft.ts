import { counted } from '#config/counted.js';
import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { MessageFields } from '../tables.js';
import type { PublishedTemplate } from '../templates/published.js';
import { queueBroadcast, startBroadcast, updateBroadcast } from './change-status.js';
import type { ChannelBroadcasts } from './channel.js';
import type { PresentedBroadcast } from './present.js';
import type { BroadcastFields } from '../broadcast-tables.js';

type Writing = Pick<Context, 'db' | 'clock' | 'wake' | 'audit' | 'startedBy' | 'use'> & {
  readonly caller: TenantCaller;
};

/** A broadcast, as audit records refer to it. */
export const broadcastSubject = ({ id }: BroadcastFields): { type: string; id: string } => ({ type: 'broadcast', id });

/**
 * Sends a draft now, or schedules it. If its audience was not counted to the end, it is scheduled for now: the worker
 * counts the rest before the first message is made, so that either the limit and the cap allow all of it or nothing is
 * sent. The caller has locked it, checked it and marked the things it uses.
 * @param found `recipients`: how many contacts would get it now, or a minimum if not `isCounted`
 */
export async function sendDraft<B extends BroadcastFields, M extends MessageFields, P extends PresentedBroadcast>(
  context: Writing,
  { kind, presenter }: ChannelBroadcasts<B, M, P>,
  draft: B,
  found: { template: PublishedTemplate; recipients: number; isLater: boolean; isCounted: boolean },
): Promise<P> {
  const { template, recipients, isLater, isCounted } = found;
  const now = context.clock.now();
  const fixed = await updateBroadcast(context, kind.tables, draft, {
    status: 'scheduled',
    templateVersionId: template.versionId,
    templateVersion: template.version,
    activityId: context.startedBy(),
    releasedAt: now,
    updatedAt: now,
  });
  const row = isLater || !isCounted ? fixed : await startBroadcast(context, kind, fixed);
  await queueBroadcast(context, kind.tables, row, isLater && row.scheduledAt ? row.scheduledAt : now);
  context.audit({
    subject: broadcastSubject(row),
    summary: `${isLater ? 'Scheduled' : 'Sent'} the broadcast “${row.name}” to ${isCounted ? '' : 'at least '}${counted(recipients, 'contact')}.`,
    changes: [{ field: 'status', from: 'draft', to: row.status }],
  });
  return presenter.one(context.db, row);
}

/** Whether a broadcast is due now and only the counting of its audience is unfinished. */
export const isStarting = ({ status, scheduledAt }: BroadcastFields, now: Date): boolean =>
  status === 'scheduled' && (scheduledAt === null || scheduledAt <= now);
