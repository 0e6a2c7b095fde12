import { percentOf, roundToMinor } from '../money/micros.js';

/** A credit that may pay for the invoice. Amounts are micro-units. */
export interface UsableCredit {
  readonly id: string;
  readonly remaining: bigint;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

export interface Composition {
  /** The sum of the lines, including what is moved to the next invoice. */
  readonly subtotal: bigint;
  readonly credit: bigint;
  readonly tax: bigint;
  readonly total: bigint;
  /** Which credits pay, and how much each. */
  readonly creditUses: readonly { id: string; amount: bigint }[];
  /**
   * What the next invoice takes over: above 0 an amount that is too small to collect, below 0 an amount that is owed to
   * the account.
   */
  readonly carried: bigint;
}

/** The order in which credits are used: the ones that expire first, then the oldest. */
export function byExpiry(a: UsableCredit, b: UsableCredit): number {
  const end = ({ expiresAt }: UsableCredit): number => expiresAt?.getTime() ?? Infinity;
  if (end(a) !== end(b)) return end(a) < end(b) ? -1 : 1;
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);
}

/**
 * Computes an invoice's total: its lines, less credits, plus tax on the rest. It is exact to the micro-unit; only the
 * tax is rounded. An amount that is too small to collect is moved to the next invoice before tax, and so is a negative
 * one.
 * @param lines the amounts of its lines, including what the last invoice moved here
 * @param taxPercent in ten-thousandths of a percent
 * @param smallest the smallest amount that can be collected, in micro-units; the currency's smallest coin is the
 * minimum in any case
 */
export function composeInvoice(
  lines: readonly bigint[],
  credits: readonly UsableCredit[],
  { taxPercent, currency, smallest }: { taxPercent: bigint; currency: string; smallest: bigint },
): Composition {
  const sum = lines.reduce((total, amount) => total + amount, 0n);
  if (sum < 0n) return { ...nothing, carried: sum };
  const { credit, creditUses } = useCredits(sum, credits);
  const rest = sum - credit;
  const tax = percentOf(rest, taxPercent);
  const due = roundToMinor(rest + tax, currency);
  if (rest > 0n && (due === 0n || due < smallest))
    return { subtotal: credit, credit, tax: 0n, total: 0n, creditUses, carried: rest };
  return { subtotal: sum, credit, tax, total: rest + tax, creditUses, carried: 0n };
}

const nothing = { subtotal: 0n, credit: 0n, tax: 0n, total: 0n, creditUses: [] } as const;

function useCredits(sum: bigint, credits: readonly UsableCredit[]): Pick<Composition, 'credit' | 'creditUses'> {
  const creditUses: { id: string; amount: bigint }[] = [];
  let left = sum;
  for (const { id, remaining } of [...credits].sort(byExpiry)) {
    const amount = remaining < left ? remaining : left;
    if (amount <= 0n) continue;
    creditUses.push({ id, amount });
    left -= amount;
  }
  return { credit: sum - left, creditUses };
}
