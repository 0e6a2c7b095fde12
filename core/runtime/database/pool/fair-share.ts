import { createTurnGate } from '../../turn-gate.js';
import type { Holder } from '../../holder.js';
import { DatabaseUnavailable } from '../errors.js';
import { beginWait, type Connections, type ConnectionWaits } from './share.js';

/** An account held all the connections that it may, and none of them was released in time. */
export class ShareExhausted extends Error {
  override name = 'ShareExhausted';
}

/** How long a caller waits for one of its account's connections. */
export const shareWaitMs = 5_000;

/**
 * Divides connections among accounts: one may take another only while it holds fewer than it leaves free. So one
 * account gets at most half of them, a second one half of the rest, and so on, and a newcomer finds a free one. If
 * there are six or more, an environment leaves one of its account's to the account's other environments, and each of
 * those finds one while its account has no more than half. Waiting callers hold no connection; accounts take turns,
 * then environments, then keys.
 * @param most the number of connections
 * @returns the connections that one holder may take. Their `take` throws ShareExhausted after 5 s, or
 *   DatabaseUnavailable
 */
export function fairShares(
  connections: Connections,
  most: number,
  waits?: ConnectionWaits,
): (holder: Holder) => Connections {
  const half = Math.ceil(most / 2);
  const kept = most >= 6 ? 1 : 0;
  const gate = createTurnGate({
    most,
    mayTake: ({ free, ofAccount, ofEnvironment }) =>
      ofEnvironment === 0
        ? ofAccount < free || (ofAccount <= half && free > 2)
        : ofAccount + (ofEnvironment === ofAccount ? kept : 0) < free,
    waitMs: shareWaitMs,
    late: (hasOwn) =>
      hasOwn ? new ShareExhausted() : new DatabaseUnavailable('No database connection was free within 5 s.'),
    onWait: () => beginWait(waits),
  });

  return (holder) => ({
    async take(use) {
      if (!gate.tryEnter(holder)) await gate.enter(holder);
      try {
        return await connections.take(use);
      } catch (error) {
        gate.leave(holder);
        throw error;
      }
    },
    release(connection, error) {
      connections.release(connection, error);
      gate.leave(holder);
    },
    discard(connection) {
      connections.discard(connection);
      gate.leave(holder);
    },
  });
}
