import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { broadcastProgress, type Reasons } from '../../broadcasts/progress.js';
import { BroadcastReadiness } from '../../broadcasts/resources.js';
import type { BroadcastFields } from '../../broadcast-tables.js';
import type { PresentedBroadcast } from '../../broadcasts/present.js';
import type { BroadcastChannel, ChannelName } from '../../channel.js';
import type { MessageFields } from '../../tables.js';

/** `<channel>.broadcast.get`. @param reasons where the command line finds why messages failed or bounced */
export const broadcastGet = <
  Name extends ChannelName,
  B extends BroadcastFields,
  M extends MessageFields,
  P extends PresentedBroadcast,
>(
  { name, broadcasts }: BroadcastChannel<Name, B, M, P>,
  reasons: Reasons,
) => {
  const { kind, presenter, resource, examples, keywords } = broadcasts;
  return defineOperation({
    name: `${name}.broadcast.get`,
    summary: 'Returns a broadcast with its readiness, and with counts once sent.',
    keywords: `${keywords} progress how far status result statistics`,
    access: 'secret',
    requires: 'audience',
    impact: { read: true, retrySafe: true },
    mayTakeLong: () => true,
    progress: broadcastProgress(name, reasons),
    input: object({ broadcastId: uuid('The broadcast’s id.') }),
    output: object({ broadcast: resource, readiness: BroadcastReadiness }),
    example: {
      input: { broadcastId: examples.draft.id },
      output: { broadcast: examples.draft, readiness: examples.readiness },
    },

    async handle({ broadcastId }, context) {
      const { db, caller } = context;
      const row = await findOwned(db, kind.tables.broadcasts, caller, broadcastId);
      const readiness =
        row.holdReason === 'spending_cap'
          ? await broadcasts.checkCap(context, caller.environment, row)
          : (await broadcasts.shownReadiness(context, caller.environment, row)).readiness;
      return { broadcast: await presenter.one(db, row), readiness };
    },
  });
};
