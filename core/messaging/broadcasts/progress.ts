import type { Parts, Progress } from '#core/kernel/operation-hints.js';

export interface Reasons {
  /** Why a message failed: a path in the reply of the channel's `message.get`. */
  readonly failed: string;
  /** Why one bounced: a path in an item of the channel's `message.list`; undefined if messages cannot bounce. */
  readonly bounced?: string;
}

/** How the reply of a channel's `broadcast.get` shows how far the broadcast is. */
export function broadcastProgress(channel: 'email' | 'sms', { failed, bounced }: Reasons): Progress {
  const partsOf = (status: string, text: string, reason: string): Parts => ({
    text,
    failed: `broadcast.counts.${status}`,
    succeeded: 'broadcast.counts.sent',
    listedBy: { operation: `${channel}.message.list`, input: { broadcastId: 'broadcast.id' } },
    filter: { status },
    reason,
  });
  const explainedBy = { operation: `${channel}.message.get`, input: { messageId: 'messageId' } };
  return {
    status: 'broadcast.status',
    succeeded: ['sent'],
    failed: ['closed', 'held', 'draft'],
    idle: [
      {
        status: 'draft',
        text: 'The broadcast is a draft and is not being sent.',
        hasBegun: false,
        step: 'Send it',
        next: { operation: `${channel}.broadcast.send`, input: { broadcastId: 'broadcast.id' } },
      },
      {
        status: 'held',
        text: 'The broadcast is held and is not being sent. See its holdReason.',
        hasBegun: true,
        step: 'Resume it',
        next: { operation: `${channel}.broadcast.resume`, input: { broadcastId: 'broadcast.id' } },
      },
    ],
    done: 'broadcast.counts.sent',
    total: 'broadcast.counts.recipients',
    parts: [
      { ...partsOf('failed', 'messages failed', failed), explainedBy },
      ...(bounced === undefined ? [] : [partsOf('bounced', 'messages bounced', bounced)]),
      partsOf('suppressed', 'messages were suppressed', 'blocked.reason'),
    ],
  };
}
