import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { holdPaused } from '../../broadcasts/change-status.js';
import { pausedMessages } from '../../broadcasts/resources.js';
import { broadcastSubject, isStarting } from '../../broadcasts/send-draft.js';
import { messagingRefusalOf } from '../../errors.js';
import type { BroadcastFields } from '../../broadcast-tables.js';
import type { PresentedBroadcast } from '../../broadcasts/present.js';
import type { BroadcastChannel, ChannelName } from '../../channel.js';
import type { MessageFields } from '../../tables.js';
import type { Texts } from '../texts.js';

/** `<channel>.broadcast.pause`: holds a broadcast until it is resumed, also while its audience is being counted. */
export const broadcastPause = <
  Name extends ChannelName,
  B extends BroadcastFields,
  M extends MessageFields,
  P extends PresentedBroadcast,
>(
  { name, broadcasts }: BroadcastChannel<Name, B, M, P>,
  { summary }: Pick<Texts, 'summary'>,
) => {
  const { kind, presenter, resource, examples, keywords } = broadcasts;
  return defineOperation({
    name: `${name}.broadcast.pause`,
    summary,
    description: `Takes effect within a second. Messages that have already been sent are not recalled. ${name}.broadcast.resume releases the held messages. Pausing a broadcast that is held because of an overdue invoice keeps it held after payment.`,
    keywords: `${keywords} stop hold interrupt suspend`,
    access: 'secret',
    requires: 'audience',
    impact: { retrySafe: true },
    input: object({ broadcastId: uuid('The broadcast to hold.') }),
    output: object({ broadcast: resource, pausedMessages }),
    errors: ['broadcast_not_sending'],
    events: [`${kind.name}.broadcast.paused`],
    example: {
      input: { broadcastId: examples.held.id },
      output: { broadcast: examples.held, pausedMessages: examples.held.counts?.held ?? 0 },
    },

    async handle({ broadcastId }, context) {
      const { db, caller, clock, audit, emit } = context;
      const before = await lockOwned(db, kind.tables.broadcasts, caller, broadcastId);
      const isHeld = before.status === 'held';
      if (before.status !== 'sending' && !isHeld && !isStarting(before, clock.now()))
        throw messagingRefusalOf.broadcast_not_sending({ channel: kind.name, status: before.status });
      // The account's payment must not resume a broadcast that somebody has paused.
      const isPausable = !isHeld || before.holdReason === 'past_due';
      const reason = { field: 'holdReason', from: before.holdReason, to: 'paused' };
      audit({
        subject: broadcastSubject(before),
        summary: `Paused the broadcast “${before.name}”.`,
        changes: !isHeld ? [{ field: 'status', from: before.status, to: 'held' }] : isPausable ? [reason] : [],
        unchanged: `the broadcast “${before.name}” was already held.`,
      });
      const row = isPausable ? await holdPaused(context, kind, before) : before;
      const broadcast = await presenter.one(db, row);
      if (isHeld) return { broadcast, pausedMessages: 0 };
      emit(`${kind.name}.broadcast.paused`, { subjectId: broadcastId, data: { broadcast } });
      return { broadcast, pausedMessages: broadcast.counts?.held ?? 0 };
    },
  });
};
