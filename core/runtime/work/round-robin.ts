import type { Due } from './claim.js';

/** Whose turn comes next, lane by lane: round and round, so that nobody waits for more than one turn of everybody else. */
export interface Turns {
  /** The parties of one lane, the one after the last that had its turn first. */
  order(parties: readonly Due[]): Due[];
  had(party: Due): void;
}

export function createTurns(): Turns {
  const last = new Map<number, string>();
  return {
    order(parties) {
      const sorted = [...parties].sort((a, b) => (a.partyId < b.partyId ? -1 : 1));
      const before = sorted[0] && last.get(sorted[0].lane);
      if (before === undefined) return sorted;
      const next = sorted.findIndex(({ partyId }) => partyId > before);
      return next === -1 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)];
    },
    had({ lane, partyId }) {
      last.set(lane, partyId);
    },
  };
}
