import type { AttemptRow } from '#core/messaging/tables.js';
import type { MessageRow } from '../tables/message.js';
import type { ReportRow } from '../tables/report.js';

/**
 * What happened to a message, in order: accepted, each attempt that was postponed, how it ended or that it is held, and what was reported
 * about its recipients since.
 * @param heldSince when the account was closed, for a held message
 */
export function timelineOf(
  message: MessageRow,
  attempts: readonly AttemptRow[],
  heldSince: Date | null,
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
  const held = heldSince ? [{ at: heldSince.toISOString(), status: 'held' }] : [];
  const reported = reports
    .map(({ type, at }) => ({ at: at.toISOString(), status: type }))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  if (!message.endedAt || suppressedAtOnce) return [accepted, ...postponed, ...held, ...reported];
  // What bounced was sent before.
  const ended = { at: message.endedAt.toISOString(), status: message.status === 'bounced' ? 'sent' : message.status };
  return [accepted, ...postponed.filter(({ at }) => at < ended.at), ended, ...reported];
}
