import type { AttemptRow, MessageStatus } from '#core/messaging/tables.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { broadcasts } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import type { ReportRow } from '../tables/report.js';

/**
 * What happened to a message, in order: accepted, each attempt that was postponed, how it ended or that it is held, and
 * the reports about its recipients since then.
 * @param waiting what a queued message waits for, or that its broadcast was cancelled, and since when; null for a
 * message that is about to be sent
 */
export function timelineOf(
  message: MessageRow,
  attempts: readonly AttemptRow[],
  waiting: { readonly at: Date; readonly status: 'held' | 'cancelled' } | null,
  reports: readonly Pick<ReportRow, 'type' | 'at'>[],
): { at: string; status: string }[] {
  const suppressedAtOnce =
    message.status === 'suppressed' && message.endedAt?.getTime() === message.createdAt.getTime();
  const accepted = {
    at: message.createdAt.toISOString(),
    status: suppressedAtOnce ? 'suppressed' : 'queued',
  };
  const postponed = attempts
    .filter(({ status }) => status !== 'sent' && status !== 'permanent')
    .map(({ at }) => ({ at: at.toISOString(), status: 'retrying' }));
  const held = waiting ? [{ at: waiting.at.toISOString(), status: waiting.status }] : [];
  const reported = reports
    .map(({ type, at }) => ({ at: at.toISOString(), status: type }))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  if (!message.endedAt || suppressedAtOnce) return [accepted, ...postponed, ...held, ...reported];
  // A bounced message was sent before.
  const ended = { at: message.endedAt.toISOString(), status: message.status === 'bounced' ? 'sent' : message.status };
  return [accepted, ...postponed.filter(({ at }) => at < ended.at), ended, ...reported];
}

/**
 * Since when a queued message is held, by the closure of the account or with its broadcast, or is cancelled with its
 * broadcast. The row of the message is updated later.
 * @param status as it is shown
 */
export async function waitingSince(
  db: Pick<ReadSession, 'findOne'>,
  { status: stored, broadcastId }: Pick<MessageRow, 'status' | 'broadcastId'>,
  status: MessageStatus,
  closedAt: Date | null,
): Promise<{ at: Date; status: 'held' | 'cancelled' } | null> {
  if (stored !== 'queued' || (status !== 'held' && status !== 'cancelled')) return null;
  if (status === 'held' && closedAt) return { at: closedAt, status };
  const broadcast = broadcastId === null ? null : await db.findOne(broadcasts, { id: broadcastId });
  return broadcast && { at: broadcast.cancelledAt ?? broadcast.updatedAt, status };
}
