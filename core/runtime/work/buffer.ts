import type { Claim } from './queue.js';

/** Claimed rows that wait for a slot, taken party by party in turn. */
export interface FairBuffer {
  add(claims: readonly Claim[]): void;
  /** The next of a lane, of the first party in line that `allows` admits; that party goes to the end of the line. */
  next(lane: number, allows: (partyId: string) => boolean): Claim | undefined;
  /** Does this lane of this party still have rows waiting here? */
  holds(lane: number, partyId: string): boolean;
  /** How many rows of a lane could be taken now, as soon as there are slots. */
  waiting(lane: number, allows: (partyId: string) => boolean): number;
  all(): Claim[];
}

export function fairBuffer(): FairBuffer {
  const lines = new Map<number, Map<string, Claim[]>>();
  return {
    add(claims) {
      const [first] = claims;
      if (!first) return;
      const line = lines.get(first.lane) ?? new Map<string, Claim[]>();
      line.set(first.partyId, [...(line.get(first.partyId) ?? []), ...claims]);
      lines.set(first.lane, line);
    },
    next(lane, allows) {
      const line = lines.get(lane);
      for (const [partyId, claims] of line ?? []) {
        if (!allows(partyId)) continue;
        const claim = claims.shift();
        line?.delete(partyId);
        if (claims.length > 0) line?.set(partyId, claims);
        return claim;
      }
      return undefined;
    },
    holds: (lane, partyId) => lines.get(lane)?.has(partyId) ?? false,
    waiting: (lane, allows) =>
      [...(lines.get(lane) ?? [])].reduce((sum, [partyId, claims]) => sum + (allows(partyId) ? claims.length : 0), 0),
    all: () => [...lines.values()].flatMap((line) => [...line.values()].flat()),
  };
}
