import type { Claim } from './queue.js';

/** Claimed rows that wait for a slot, taken environment by environment in turn. */
export interface FairBuffer {
  add(claims: readonly Claim[]): void;
  /** The next of a lane; the environment it came from goes to the end of the line. */
  next(lane: number): Claim | undefined;
  /** Does this lane of this environment still have rows waiting here? */
  holds(lane: number, environmentId: string): boolean;
  all(): Claim[];
}

export function fairBuffer(): FairBuffer {
  const lines = new Map<number, Map<string, Claim[]>>();
  return {
    add(claims) {
      const [first] = claims;
      if (!first) return;
      const line = lines.get(first.lane) ?? new Map<string, Claim[]>();
      line.set(first.environmentId, [...(line.get(first.environmentId) ?? []), ...claims]);
      lines.set(first.lane, line);
    },
    next(lane) {
      const line = lines.get(lane);
      const [turn] = line ?? [];
      if (!line || !turn) return undefined;
      const [environmentId, claims] = turn;
      const claim = claims.shift();
      line.delete(environmentId);
      if (claims.length > 0) line.set(environmentId, claims);
      return claim;
    },
    holds: (lane, environmentId) => lines.get(lane)?.has(environmentId) ?? false,
    all: () => [...lines.values()].flatMap((line) => [...line.values()].flat()),
  };
}
