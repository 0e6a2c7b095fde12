import type { Claim } from './queue.js';

/** Claimed rows that wait for a slot, taken partition by partition in turn. */
export interface FairBuffer {
  add(claims: readonly Claim[]): void;
  /** The next of a lane, of the first partition in line whose next row `allows` admits; that partition goes to the end of the line. */
  next(lane: number, allows: (claim: Claim) => boolean): Claim | undefined;
  /** How many rows of this lane of this partition wait here. */
  count(lane: number, partitionId: string): number;
  /** How many rows of a lane could be taken now, as soon as there are slots. */
  waiting(lane: number, allows: (claim: Claim) => boolean): number;
  all(): Claim[];
}

export function fairBuffer(): FairBuffer {
  const lines = new Map<number, Map<string, Claim[]>>();
  const lineOf = (lane: number): Map<string, Claim[]> => {
    const line = lines.get(lane) ?? new Map<string, Claim[]>();
    lines.set(lane, line);
    return line;
  };
  return {
    add(claims) {
      for (const claim of claims) {
        const line = lineOf(claim.lane);
        const waiting = line.get(claim.partitionId);
        if (waiting) waiting.push(claim);
        else line.set(claim.partitionId, [claim]);
      }
    },
    next(lane, allows) {
      const line = lineOf(lane);
      for (const [partitionId, claims] of line) {
        if (!claims[0] || !allows(claims[0])) continue;
        const claim = claims.shift();
        line.delete(partitionId);
        if (claims.length > 0) line.set(partitionId, claims);
        return claim;
      }
      return undefined;
    },
    count: (lane, partitionId) => lines.get(lane)?.get(partitionId)?.length ?? 0,
    waiting: (lane, allows) =>
      [...lineOf(lane).values()].reduce((sum, claims) => sum + (claims[0] && allows(claims[0]) ? claims.length : 0), 0),
    all: () => [...lines.values()].flatMap((line) => [...line.values()].flat()),
  };
}
