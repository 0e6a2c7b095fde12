/*
 * What a year must come to, calculated apart from svc: from what was metered, granted and charged, month by month, with
 * nothing of svc's own arithmetic.
 */

export interface LedgerPrice {
  meter: string;
  country: string | null;
  /** The first month it holds in. */
  from: string;
  /** The end of each tier, Infinity for the last, and the price of a unit in micro-units. */
  tiers: readonly (readonly [end: number, micros: number])[];
}

interface LedgerCredit {
  left: bigint;
  /** Milliseconds; Infinity for never. */
  expires: number;
}

interface LedgerInvoice {
  subtotal: bigint;
  credit: bigint;
  tax: bigint;
  total: bigint;
  carried: bigint;
}

export interface Ledger {
  use(meter: string, country: string | null, quantity: number): void;
  /** Gives units back: those of the latest months, as far as there are any. */
  giveBack(meter: string, country: string | null, quantity: number): void;
  charge(micros: bigint): void;
  /** @returns takes back what is left of it */
  grant(micros: bigint, expires: number): () => void;
  /** @returns the invoice of the month; undefined where there is none */
  close(month: string, end: number): LedgerInvoice | undefined;
  readonly creditsLeft: bigint;
  readonly carried: bigint;
}

/** @param taxThousandths the tax in thousandths of a percent: 7700 for 7.7 % */
export function openLedger(prices: readonly LedgerPrice[], taxThousandths: bigint): Ledger {
  let used = new Map<string, number>();
  /** What is left of each month that is over, the latest first. */
  const past: { month: string; left: Map<string, number> }[] = [];
  let givenBack = 0n;
  let fees: bigint[] = [];
  const credits: LedgerCredit[] = [];
  let carried = 0n;

  const priceAt = (meter: string, country: string | null, month: string): LedgerPrice | undefined => {
    const valid = (of: string | null): LedgerPrice | undefined =>
      prices
        .filter((price) => price.meter === meter && price.country === of && price.from <= month)
        .sort((a, b) => (a.from > b.from ? -1 : 1))[0];
    return (country === null ? undefined : valid(country)) ?? valid(null);
  };
  /** Unit by unit, as the tiers say. */
  const costOf = ({ tiers }: LedgerPrice, units: number): bigint => {
    let cost = 0n;
    let begin = 0;
    for (const [end, micros] of tiers) {
      cost += BigInt(Math.max(0, Math.min(units, end) - begin)) * BigInt(micros);
      begin = end;
    }
    return cost;
  };
  /** What all units of a month cost together. */
  const costOfMonth = (month: string, quantities: ReadonlyMap<string, number>): bigint => {
    const units = new Map<LedgerPrice, number>();
    for (const [key, quantity] of quantities) {
      const [meter = '', country = ''] = key.split('|');
      const price = priceAt(meter, country === '' ? null : country, month);
      if (price) units.set(price, (units.get(price) ?? 0) + quantity);
    }
    return [...units].reduce((sum, [price, quantity]) => sum + costOf(price, quantity), 0n);
  };
  const hasPrice = (month: string, quantities: ReadonlyMap<string, number>): boolean =>
    [...quantities].some(([key, quantity]) => {
      const [meter = '', country = ''] = key.split('|');
      return quantity !== 0 && priceAt(meter, country === '' ? null : country, month) !== undefined;
    });
  const halfEven = (numerator: bigint, denominator: bigint): bigint => {
    const below = numerator / denominator;
    const [distance, half] = [(numerator - below * denominator) * 2n, denominator];
    if (distance === half) return below % 2n === 0n ? below : below + 1n;
    return distance > half ? below + 1n : below;
  };

  return {
    get creditsLeft() {
      return credits.reduce((sum, { left }) => sum + left, 0n);
    },
    get carried() {
      return carried;
    },
    use(meter, country, quantity) {
      const key = `${meter}|${country ?? ''}`;
      used.set(key, (used.get(key) ?? 0) + quantity);
    },
    giveBack(meter, country, quantity) {
      const key = `${meter}|${country ?? ''}`;
      const now = Math.min(quantity, used.get(key) ?? 0);
      used.set(key, (used.get(key) ?? 0) - now);
      let wanted = quantity - now;
      for (const { month, left } of past) {
        const taken = Math.min(wanted, left.get(key) ?? 0);
        const before = costOfMonth(month, left);
        left.set(key, (left.get(key) ?? 0) - taken);
        givenBack += before - costOfMonth(month, left);
        wanted -= taken;
      }
    },
    charge: (micros) => void fees.push(micros),
    grant(micros, expires) {
      const credit = { left: micros, expires };
      credits.push(credit);
      return () => void (credit.left = 0n);
    },
    close(month, end) {
      const isEmpty = !hasPrice(month, used) && fees.length === 0 && givenBack === 0n;
      const sum = costOfMonth(month, used) - givenBack + fees.reduce((all, each) => all + each, 0n) + carried;
      past.unshift({ month, left: used });
      used = new Map();
      givenBack = 0n;
      fees = [];
      if (isEmpty) return undefined;
      if (sum < 0n) {
        carried = sum;
        return { subtotal: 0n, credit: 0n, tax: 0n, total: 0n, carried };
      }
      let rest = sum;
      const lastDay = end - 24 * 3_600_000;
      for (const credit of [...credits].sort((a, b) => (a.expires === b.expires ? 0 : a.expires - b.expires))) {
        if (credit.expires <= lastDay) continue;
        const taken = credit.left < rest ? credit.left : rest;
        credit.left -= taken;
        rest -= taken;
      }
      const credit = sum - rest;
      const tax = halfEven(rest * taxThousandths, 100_000n);
      // Half a cent is rounded to the even number of cents, 0.
      const isTooSmall = rest > 0n && rest + tax <= 5_000n;
      carried = isTooSmall ? rest : 0n;
      return isTooSmall
        ? { subtotal: credit, credit, tax: 0n, total: 0n, carried }
        : { subtotal: sum, credit, tax, total: rest + tax, carried };
    },
  };
}
