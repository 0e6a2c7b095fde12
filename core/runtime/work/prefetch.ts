import type { FairBuffer } from './buffer.js';
import type { Due } from './claim.js';
import type { Claim } from './queue.js';

/** Which parties' claimed rows run low while more are due: a party with much to do is not let run dry between two looks. */
export interface Supplies {
  claimed(parties: readonly Due[], claims: readonly Claim[], limit: number): void;
  /** Is a claim of up to `limit` rows in place? */
  wants(party: Due, limit: number): boolean;
  /** Has the party few rows left, and are more to be expected? True once for each claim: another look is on its way then. */
  runLow(party: Due): boolean;
}

const nameOf = ({ lane, partyId }: Due): string => `${lane} ${partyId}`;

export function createSupplies(buffer: FairBuffer): Supplies {
  /** Parties whose last claim was full, and the count from which on they want another. */
  const lows = new Map<string, number>();
  return {
    claimed(parties, claims, limit) {
      const found = new Map<string, number>();
      for (const claim of claims) found.set(nameOf(claim), (found.get(nameOf(claim)) ?? 0) + 1);
      for (const name of parties.map(nameOf)) {
        if ((found.get(name) ?? 0) >= limit) lows.set(name, limit / 2);
        else lows.delete(name);
      }
    },
    wants: ({ lane, partyId }, limit) => buffer.count(lane, partyId) <= limit / 2,
    runLow(party) {
      const name = nameOf(party);
      const low = lows.get(name);
      return low !== undefined && buffer.count(party.lane, party.partyId) <= low && lows.delete(name);
    },
  };
}
