import type { ShownCounts } from './counts.js';
import type { PresentedBroadcast } from './present.js';

const noCounts: ShownCounts = {
  recipients: 0,
  queued: 0,
  held: 0,
  sending: 0,
  sent: 0,
  failed: 0,
  suppressed: 0,
  cancelled: 0,
  bounced: 0,
  refused: 0,
};

/** The shared fields of a channel's example of a draft. @param own the channel's own fields */
export const exampleDraft = (
  own: Pick<PresentedBroadcast, 'id' | 'name' | 'template' | 'topic' | 'variables'>,
): PresentedBroadcast => ({
  ...own,
  templateVersion: null,
  segmentId: null,
  scheduledAt: null,
  status: 'draft',
  holdReason: null,
  counts: null,
  audience: null,
  sentAt: null,
  completedAt: null,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
});

/**
 * Examples of a channel's broadcast after its draft: while it is being sent, held by a pause, and cancelled.
 * @param draft the channel's example of a draft
 * @param counts of the broadcast while it is being sent
 */
export function examplesAfter<B extends PresentedBroadcast>(
  draft: B,
  templateVersion: number,
  counts: Pick<ShownCounts, 'recipients' | 'queued' | 'sending' | 'sent' | 'suppressed'>,
): { sending: B; held: B; closed: B } {
  const { queued: _queued, sending: _sending, ...ended } = counts;
  const waiting = counts.queued + counts.sending;
  const at = '2026-11-20T09:31:00.000Z';
  const sending: B = {
    ...draft,
    templateVersion,
    status: 'sending',
    counts: { ...noCounts, ...counts },
    audience: { eligible: counts.recipients, neverAsked: 280, optedOut: 30, suppressed: 14, exact: true },
    sentAt: at,
    updatedAt: at,
  };
  return {
    sending,
    held: { ...sending, status: 'held', holdReason: 'paused', counts: { ...noCounts, ...ended, held: waiting } },
    closed: { ...sending, status: 'closed', counts: { ...noCounts, ...ended, cancelled: waiting } },
  };
}
