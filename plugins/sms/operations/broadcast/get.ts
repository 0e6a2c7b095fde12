import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { broadcastProgress } from '#core/messaging/broadcasts/progress.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { BroadcastReadiness } from '#core/messaging/broadcasts/resources.js';
import { exampleBroadcast, exampleReadiness } from '../../broadcasts/examples.js';
import { smsPresenter } from '../../broadcasts/present.js';
import { checkCap, shownReadiness } from '../../broadcasts/readiness.js';
import { SmsBroadcast } from '../../broadcasts/resources.js';
import { broadcasts } from '../../tables/broadcast.js';

export default defineOperation({
  name: 'sms.broadcast.get',
  summary: 'Returns a broadcast with its readiness, and with counts once sent.',
  keywords: 'campaign progress how far status result statistics',
  access: 'secret',
  requires: 'audience',
  impact: { read: true, retrySafe: true },
  mayTakeLong: () => true,
  progress: broadcastProgress('sms', { failed: 'message.error.message' }),
  input: object({ broadcastId: uuid('The broadcast’s id.') }),
  output: object({ broadcast: SmsBroadcast, readiness: BroadcastReadiness }),
  example: {
    input: { broadcastId: exampleBroadcast.id },
    output: { broadcast: exampleBroadcast, readiness: exampleReadiness },
  },

  async handle({ broadcastId }, context) {
    const { db, caller } = context;
    const row = await findOwned(db, broadcasts, caller, broadcastId);
    const readiness =
      row.holdReason === 'spending_cap'
        ? await checkCap(context, caller.environment, row)
        : await shownReadiness(context, caller.environment, row);
    return { broadcast: await smsPresenter.one(db, row), readiness };
  },
});
