import { lanes } from '#core/runtime/work/queue.js';
import type { DeliveryLimits } from '../driver.js';
import { createSendSlots, type SendSlots } from './send-slots.js';
import { trackStalls, type Stalls } from './stalls.js';

/**
 * The send slots of a channel and its stalled attempts. Single messages and chunks share them, as they share
 * connections.
 */
export interface Sending {
  readonly sendSlots: SendSlots;
  readonly stalls: Stalls;
}

export function createSending(limits: DeliveryLimits): Sending {
  const stalls = trackStalls(limits);
  const sendSlots = createSendSlots(limits, (account, lane, isAlone) => {
    const allowed = isAlone && lane === lanes.bulk ? limits.alone : limits.perAccount;
    return allowed - stalls.stalled(account, lane);
  });
  return { sendSlots, stalls };
}
