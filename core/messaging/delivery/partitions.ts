import { environmentTurns, turnsThrough, type ReadTurns } from '#core/kernel/environment/turns.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Exclusion } from '#core/runtime/work/queue.js';
import type { ChannelTables, MessageFields } from '../tables.js';

/*
 * A delivery queue has two kinds of partitions: an environment, for its single messages, and a broadcast, for its
 * messages. So a decision about a broadcast is made once for all of its messages, and a large broadcast does not delay
 * the environment's other mail.
 */

/** Broadcasts whose messages are not claimed: held ones, cancelled ones, and those of closed accounts. */
export function heldBroadcasts<M extends MessageFields>({
  broadcasts,
}: Pick<ChannelTables<M>, 'broadcasts'>): Exclusion[] {
  if (!broadcasts) return [];
  // By the primary key: one lookup for each partition that has due messages, no matter how many broadcasts there are.
  const partitions = `SELECT b.id FROM ${broadcasts.broadcasts.tableName} b JOIN svc_environment e ON e.id = b.environment_id
    WHERE b.id = waiting.partition_id AND (b.status IN ('held', 'closed') OR e.closed_at IS NOT NULL)`;
  return [{ partitions, lanes: ['bulk'] }];
}

/** Reads the turns of both kinds of partitions. */
export const deliveryTurns =
  <M extends MessageFields>(
    database: Pick<ReadSession, 'rows'>,
    { broadcasts }: Pick<ChannelTables<M>, 'broadcasts'>,
  ): ReadTurns =>
  async (partitionIds) => {
    const found = await environmentTurns(database)(partitionIds);
    const others = partitionIds.filter((id) => !found.has(id));
    if (others.length === 0 || !broadcasts) return found;
    return new Map([...found, ...(await turnsThrough(database, broadcasts.broadcasts)(others))]);
  };
