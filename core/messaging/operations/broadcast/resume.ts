import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object, uuid } from '#core/kernel/schema/schema.js';
import { resumeBroadcast } from '../../broadcasts/change-status.js';
import { broadcastSubject, isStarting } from '../../broadcasts/send-draft.js';
import { messagingRefusalOf } from '../../errors.js';
import type { BroadcastFields } from '../../broadcast-tables.js';
import type { PresentedBroadcast } from '../../broadcasts/present.js';
import type { BroadcastChannel, ChannelName } from '../../channel.js';
import type { MessageFields } from '../../tables.js';
import type { Texts } from '../texts.js';

/** `<channel>.broadcast.resume`: continues a held broadcast. @param texts.released describes `resumedMessages` */
export const broadcastResume = <
  Name extends ChannelName,
  B extends BroadcastFields,
  M extends MessageFields,
  P extends PresentedBroadcast,
>(
  { name, broadcasts }: BroadcastChannel<Name, B, M, P>,
  { released, ...texts }: Required<Omit<Texts, 'keywords'>> & { readonly released: string },
) => {
  const { kind, presenter, resource, examples, keywords } = broadcasts;
  return defineOperation({
    name: `${name}.broadcast.resume`,
    ...texts,
    keywords: `${keywords} continue release unpause`,
    access: 'secret',
    requires: 'audience',
    impact: { retrySafe: true },
    input: object({ broadcastId: uuid('The broadcast to resume.') }),
    output: object({ broadcast: resource, resumedMessages: count(released) }),
    errors: ['broadcast_not_held', 'billing_past_due', 'account_closed'],
    events: [`${kind.name}.broadcast.resumed`],
    example: {
      input: { broadcastId: examples.held.id },
      output: { broadcast: examples.sending, resumedMessages: examples.held.counts?.held ?? 0 },
    },

    async handle({ broadcastId }, context) {
      const { db, caller, clock, audit, emit, fail } = context;
      const { environment } = caller;
      if (environment.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
      await broadcasts.requireGoodStanding(context, environment, `${name}.broadcast.resume`);
      const before = await lockOwned(db, kind.tables.broadcasts, caller, broadcastId);
      const isSending = before.status === 'sending' || isStarting(before, clock.now());
      const goesOn = isSending || before.status === 'scheduled';
      if (before.status !== 'held' && !goesOn)
        throw messagingRefusalOf.broadcast_not_held({ channel: kind.name, status: before.status });
      const row = goesOn ? before : await resumeBroadcast(context, kind, before);
      const held = goesOn ? 0 : ((await presenter.one(db, before)).counts?.held ?? 0);
      audit({
        subject: broadcastSubject(before),
        summary: `Resumed the broadcast “${before.name}”.`,
        changes: goesOn ? [] : [{ field: 'status', from: 'held', to: row.status }],
        unchanged: `the broadcast “${before.name}” was already ${isSending ? 'being sent' : 'scheduled'}.`,
      });
      const broadcast = await presenter.one(db, row);
      if (!goesOn) emit(`${kind.name}.broadcast.resumed`, { subjectId: broadcastId, data: { broadcast } });
      return { broadcast, resumedMessages: held };
    },
  });
};
