import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { closeBroadcast } from '../../broadcasts/change-status.js';
import { cancelledMessages } from '../../broadcasts/resources.js';
import { broadcastSubject } from '../../broadcasts/send-draft.js';
import { messagingRefusalOf } from '../../errors.js';
import type { BroadcastFields } from '../../broadcast-tables.js';
import type { PresentedBroadcast } from '../../broadcasts/present.js';
import type { BroadcastChannel, ChannelName } from '../../channel.js';
import type { MessageFields } from '../../tables.js';

/** `<channel>.broadcast.cancel`: closes a draft, or cancels the messages of a broadcast that have not been sent. */
export const broadcastCancel = <
  Name extends ChannelName,
  B extends BroadcastFields,
  M extends MessageFields,
  P extends PresentedBroadcast,
>({
  name,
  broadcasts,
}: BroadcastChannel<Name, B, M, P>) => {
  const { kind, presenter, resource, examples, keywords } = broadcasts;
  return defineOperation({
    name: `${name}.broadcast.cancel`,
    summary: 'Closes a draft, or cancels the messages that are still queued or held.',
    description: `Sent messages are not recalled. No message is sent after this call returns, no matter how many are waiting. The rows and the ${name}.cancelled events are written in the background.`,
    keywords: `${keywords} stop abort delete unschedule`,
    access: 'secret',
    requires: 'audience',
    impact: { destructive: true, retrySafe: true },
    input: object({ broadcastId: uuid('The broadcast to cancel.') }),
    output: object({ broadcast: resource, cancelledMessages }),
    errors: ['broadcast_finished'],
    events: [`${kind.name}.broadcast.cancelled`, `${kind.name}.cancelled`],
    example: {
      input: { broadcastId: examples.closed.id },
      output: { broadcast: examples.closed, cancelledMessages: examples.closed.counts?.cancelled ?? 0 },
    },

    async handle({ broadcastId }, context) {
      const { db, caller, audit, emit } = context;
      const before = await lockOwned(db, kind.tables.broadcasts, caller, broadcastId);
      if (before.status === 'sent') throw messagingRefusalOf.broadcast_finished({ channel: kind.name });
      const isClosed = before.status === 'closed';
      audit({
        subject: broadcastSubject(before),
        summary: `Cancelled the broadcast “${before.name}”.`,
        changes: isClosed ? [] : [{ field: 'status', from: before.status, to: 'closed' }],
        unchanged: `the broadcast “${before.name}” was already cancelled.`,
      });
      const shown = await presenter.one(db, before);
      if (isClosed) return { broadcast: shown, cancelledMessages: 0 };
      const waiting = (shown.counts?.queued ?? 0) + (shown.counts?.held ?? 0);
      const row = await closeBroadcast(context, kind, before);
      const broadcast = await presenter.one(db, row);
      emit(`${kind.name}.broadcast.cancelled`, { subjectId: broadcastId, data: { broadcast } });
      return { broadcast, cancelledMessages: waiting };
    },
  });
};
