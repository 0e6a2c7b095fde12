import type { Log } from '../log.js';
import type { Turns } from '../turn-tree.js';
import type { WorkQueue } from './queue.js';

/** Who takes turns for the partitions of a queue. A partition never changes its owner, so each is asked for once. */
interface PartitionTurns {
  /** Asks for partitions that are not known yet. If that fails, they take turns by themselves; it does not throw. */
  load(partitionIds: readonly string[]): Promise<void>;
  /** The owners of a partition, outermost first, and last the partition itself. */
  of(partitionId: string): Turns;
  /** The owners of a partition without itself, each by its whole path: `account`, `account environment`. */
  ownersOf(partitionId: string): readonly string[];
}

/** The number of partitions remembered. */
const most = 50_000;
/** The number of partitions that one question is about. */
const askedAtOnce = 1_000;

interface Known {
  readonly turns: Turns;
  readonly owners: readonly string[];
}

export function partitionTurns({ name, turnsOf }: Pick<WorkQueue, 'name' | 'turnsOf'>, log: Log): PartitionTurns {
  const known = new Map<string, Known>();
  return {
    async load(partitionIds) {
      const unknown = [...new Set(partitionIds)].filter((id) => !known.has(id));
      if (known.size + unknown.length > most) known.clear();
      for (let start = 0; start < unknown.length; start += askedAtOnce) {
        const asked = unknown.slice(start, start + askedAtOnce);
        try {
          const found = await turnsOf(asked);
          for (const id of asked) {
            const owners = found.get(id) ?? [];
            const paths = owners.map((_, level) => owners.slice(0, level + 1).join(' '));
            known.set(id, { turns: [...owners, id], owners: paths });
          }
        } catch (error) {
          log.warn({ err: error, queue: name }, 'reading the owners of due work failed; they are read again');
          return;
        }
      }
    },
    of: (partitionId) => known.get(partitionId)?.turns ?? [partitionId],
    ownersOf: (partitionId) => known.get(partitionId)?.owners ?? none,
  };
}

const none: readonly string[] = [];
