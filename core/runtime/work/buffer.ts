import { createTurnTree, type TurnTree, type Turns } from '../turn-tree.js';
import type { Claim } from './queue.js';

/** Claimed rows that wait for a slot. On each level of owners, they are taken round-robin. */
export interface FairBuffer {
  add(claims: readonly Claim[]): void;
  /**
   * Removes and returns the next row of a lane: the oldest of the first partition that `allows` accepts. That partition
   * and its owners then move to the end of the queue.
   * @param isOpen whether an outermost owner may have another row
   */
  next(lane: number, isOpen: (owner: string) => boolean, allows: (claim: Claim) => boolean): Claim | undefined;
  /** The number of buffered rows of one partition and lane. */
  count(lane: number, partitionId: string): number;
  /** The number of buffered rows of a lane whose partitions `allows` accepts. */
  waiting(lane: number, allows: (claim: Claim) => boolean): number;
  /** The outermost owners that have rows of a lane buffered. */
  owners(lane: number): Set<string>;
  /** All buffered rows. */
  all(): Claim[];
}

/** The buffered rows of one partition and lane, the oldest first. */
interface Line {
  readonly turns: Turns;
  readonly claims: Claim[];
}

interface LaneBuffer {
  readonly tree: TurnTree<Line>;
  readonly lines: Map<string, Line>;
}

/** @param turnsOf the owners of a partition, outermost first, and last the partition itself */
export function fairBuffer(turnsOf: (partitionId: string) => Turns): FairBuffer {
  const buffers = new Map<number, LaneBuffer>();
  const bufferOf = (lane: number): LaneBuffer => {
    const buffer = buffers.get(lane) ?? { tree: createTurnTree<Line>(), lines: new Map<string, Line>() };
    buffers.set(lane, buffer);
    return buffer;
  };
  return {
    add(claims) {
      for (const claim of claims) {
        const { tree, lines } = bufferOf(claim.lane);
        const known = lines.get(claim.partitionId);
        if (known) {
          known.claims.push(claim);
          continue;
        }
        const line = { turns: turnsOf(claim.partitionId), claims: [claim] };
        lines.set(claim.partitionId, line);
        tree.add(line.turns, line);
      }
    },
    next(lane, isOpen, allows) {
      const { tree, lines } = bufferOf(lane);
      const line = tree.pass(isOpen, ({ claims }) => claims[0] !== undefined && allows(claims[0]));
      const claim = line?.claims.shift();
      if (!line || !claim) return undefined;
      if (line.claims.length === 0) {
        lines.delete(claim.partitionId);
        tree.remove(line.turns, line);
      }
      return claim;
    },
    count: (lane, partitionId) => buffers.get(lane)?.lines.get(partitionId)?.claims.length ?? 0,
    waiting: (lane, allows) =>
      [...bufferOf(lane).lines.values()].reduce(
        (sum, { claims }) => sum + (claims[0] && allows(claims[0]) ? claims.length : 0),
        0,
      ),
    owners: (lane) => new Set([...bufferOf(lane).lines.values()].flatMap(({ turns }) => turns[0] ?? [])),
    all: () => [...buffers.values()].flatMap(({ lines }) => [...lines.values()].flatMap(({ claims }) => claims)),
  };
}
