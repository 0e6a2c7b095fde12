import type { AttemptRow } from '#core/messaging/tables.js';
import type { MessageRow } from '../tables/message.js';

/**
 * What happened to a message, in order: accepted, each attempt that was postponed, and how it ended or that it is held.
 * @param heldSince when the account was closed, for a held message
 */
export function timelineOf(
  message: MessageRow,
  attempts: readonly AttemptRow[],
  heldSince: Date | null,
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
  if (!message.endedAt || suppressedAtOnce) return [accepted, ...postponed, ...held];
  const ended = { at: message.endedAt.toISOString(), status: message.status };
  return [accepted, ...postponed.filter(({ at }) => at < ended.at), ended];
}
