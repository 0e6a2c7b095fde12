import type { AttemptRow } from '../tables/attempt.js';
import type { MessageRow } from '../tables/message.js';

/** What happened to a message, in order: accepted, each try that was put off, and how it ended. */
export function timelineOf(message: MessageRow, tries: readonly AttemptRow[]): { at: string; status: string }[] {
  const accepted = {
    at: message.createdAt.toISOString(),
    status: isNeverQueued(message) ? 'suppressed' : 'queued',
  };
  const putOff = tries
    .filter(({ status }) => status !== 'sent' && status !== 'permanent')
    .map(({ at }) => ({ at: at.toISOString(), status: 'retrying' }));
  const ended =
    message.endedAt && !isNeverQueued(message) ? [{ at: message.endedAt.toISOString(), status: message.status }] : [];
  const last = ended[0];
  return [accepted, ...putOff.filter((each) => last === undefined || each.at < last.at), ...ended];
}

/** Nobody on it could be reached when it was accepted. Else it was queued, and suppressed as it was about to leave. */
const isNeverQueued = ({ status, endedAt, createdAt }: MessageRow): boolean =>
  status === 'suppressed' && endedAt?.getTime() === createdAt.getTime();
