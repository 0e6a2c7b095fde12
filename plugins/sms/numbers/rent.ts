import type { Usage } from '#plugins/billing/ports.js';
import type { NumberRow } from '../tables/number.js';

/** The month of a time, YYYY-MM in UTC. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** The rent of a number for some months. */
export const rentOf = ({ id, country }: Pick<NumberRow, 'id' | 'country'>, months = 1): Usage => ({
  meter: 'sms.number_month',
  quantity: months,
  country,
  sourceId: id,
});

/**
 * The rent of the months that have begun and are not metered yet.
 * @param month the present month
 * @returns null if there are none
 */
export function rentDue(row: Pick<NumberRow, 'id' | 'country' | 'rentMeteredUntil'>, month: string): Usage | null {
  const { rentMeteredUntil: last } = row;
  return last === null || last >= month ? null : rentOf(row, monthsBetween(last, month));
}

/** The number of months from one month to a later one: 1 from 2026-12 to 2027-01. */
function monthsBetween(from: string, to: string): number {
  const count = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5));
  return count(to) - count(from);
}
