import type { Claim, WorkQueue } from './queue.js';

/** What may be in work at once: so many of a lane, and so many of one party, that a slow one leaves room for the others. */
export interface Slots {
  free(lane: number): boolean;
  allows(partyId: string): boolean;
  take(claim: Claim): void;
  give(claim: Claim): void;
}

export function createSlots({ concurrency, perParty }: Pick<WorkQueue, 'concurrency' | 'perParty'>): Slots {
  const lanes = new Map<number, number>();
  const parties = new Map<string, number>();
  return {
    free: (lane) => (lanes.get(lane) ?? 0) < concurrency,
    allows: (partyId) => perParty === undefined || (parties.get(partyId) ?? 0) < perParty(partyId),
    take({ lane, partyId }) {
      lanes.set(lane, (lanes.get(lane) ?? 0) + 1);
      parties.set(partyId, (parties.get(partyId) ?? 0) + 1);
    },
    give({ lane, partyId }) {
      lanes.set(lane, (lanes.get(lane) ?? 1) - 1);
      const left = (parties.get(partyId) ?? 1) - 1;
      if (left === 0) parties.delete(partyId);
      else parties.set(partyId, left);
    },
  };
}
