import type { OutgoingKind } from '#core/kernel/outgoing/kind.js';
import { queuedKind } from '#core/kernel/outgoing/queue-kind.js';
import { environmentsAmong } from '#core/kernel/environment/owners.js';
import { cancelMessage } from './cancel.js';
import type { MessageDriver } from './driver.js';
import type { MessageFields } from './tables.js';

/**
 * Single messages that wait, for operators who restored a backup (core/kernel/outgoing). Those of broadcasts wait with
 * their broadcast (broadcasts/outgoing.ts).
 */
export const messagesKind = <M extends MessageFields>(
  words: { readonly name: string; readonly one: string; readonly several: string },
  driver: MessageDriver<M>,
): OutgoingKind =>
  queuedKind({
    ...words,
    queue: driver.queue,
    lanes: ['system', 'transactional'],
    operation: `${driver.name}.message.cancel`,
    environmentsOf: environmentsAmong,
    async cancel(context, environment, ids) {
      const at = context.clock.now();
      for (const id of ids)
        await cancelMessage(context, driver, id, environment, at, (change) => {
          driver.emit(context, change);
        });
    },
  });
