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
