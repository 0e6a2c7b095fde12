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

/** The environments of partitions, as far as messages of theirs were loaded. */
export interface PartitionOwners {
  note(partitionId: string, environmentId: string): void;
  /** The environment of a partition; the partition itself if it is an environment or is unknown. */
  of(partitionId: string): string;
  /** The environment of a broadcast; undefined for an environment's own partition. */
  broadcastOwner(partitionId: string): string | undefined;
}

/** Broadcasts remembered. */
const most = 10_000;

export function partitionOwners(): PartitionOwners {
  const owners = new Map<string, string>();
  return {
    note(partitionId, environmentId) {
      if (partitionId === environmentId) return;
      if (owners.size >= most) owners.clear();
      owners.set(partitionId, environmentId);
    },
    of: (partitionId) => owners.get(partitionId) ?? partitionId,
    broadcastOwner: (partitionId) => owners.get(partitionId),
  };
}
