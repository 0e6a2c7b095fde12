import { dateOfDay } from '#core/runtime/clock.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import { groupBy } from '#core/messaging/group-by.js';
import { meters } from '../meters.js';
import { moneyOf } from '../money/micros.js';
import type { Prices } from '../prices/price-list.js';
import { priceUsage, type Priced } from '../prices/price-usage.js';
import type { UsageRow } from '../resources.js';
import type { Reversal } from './reversals.js';
import type { Used } from './used.js';

export const usageBreakdowns = ['meter', 'project', 'day'] as const;

interface Breakdown {
  readonly by: (typeof usageBreakdowns)[number];
  readonly projects: readonly { id: string; name: string }[];
  readonly currency: string;
  /** Only this project's. */
  readonly projectId: string | undefined;
}

/**
 * Usage in the form of replies. The usage of the whole account is priced, day by day, before rows are selected, because
 * tiers count the whole account. So the rows of all projects add up to the price of the month.
 * @param used by day
 * @param given reversals of closed months, which its tiers do not count
 * @returns `total` in micro-units
 */
export function usageRowsOf(
  used: readonly Used[],
  given: readonly Reversal[],
  prices: Prices,
  { by, projects, currency, projectId }: Breakdown,
): { rows: ValueOf<typeof UsageRow>[]; total: bigint } {
  const priced = [
    ...priceUsage(
      prices,
      used.filter(({ isTest }) => !isTest),
    ),
    ...used
      .filter(({ isTest }) => isTest)
      .map((usage): Priced<Used> => ({ usage, price: undefined, parts: [], amount: 0n })),
    ...given.map(({ amount, ...units }): Priced<Used> => ({
      usage: { ...units, quantity: -units.quantity },
      price: undefined,
      parts: [],
      amount: -amount,
    })),
  ].filter(({ usage }) => projectId === undefined || usage.projectId === projectId);
  const dimension = ({ projectId: project, day }: Used): string =>
    by === 'meter' ? '' : by === 'project' ? project : dateOfDay(day);
  const order = ({ isTest, meter, ...usage }: Used): string =>
    `${Number(isTest)} ${dimension({ isTest, meter, ...usage })} ${meters.findIndex((each) => each === meter)}`;
  const groups = groupBy(priced, ({ usage }) => order(usage));
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
  const rows = groups
    .flatMap((group) => {
      const [first] = group;
      return first ? [{ first: first.usage, group }] : [];
    })
    .sort((a, b) => (order(a.first) < order(b.first) ? -1 : 1))
    .map(({ first, group }) => ({
      meter: meters.find((each) => each === first.meter) ?? null,
      project: by === 'project' ? { id: first.projectId, name: nameOf(projects, first.projectId) } : null,
      date: by === 'day' ? dateOfDay(first.day) : null,
      test: first.isTest,
      quantity: Number(sum(group.map(({ usage }) => usage.quantity))),
      amount: moneyOf(sum(group.map(({ amount }) => amount)), currency),
    }));
  return { rows, total: sum(priced.map(({ amount }) => amount)) };
}

const nameOf = (projects: Breakdown['projects'], projectId: string): string =>
  projects.find(({ id }) => id === projectId)?.name ?? '';
