import { dateOfDay } from '#core/runtime/clock.js';
import { meters } from '../meters.js';
import type { Used } from '../metering/used.js';
import type { Prices } from '../prices/price-list.js';
import { priceUsage } from '../prices/price-usage.js';
import { groupBy } from '#core/messaging/group-by.js';
import type { Reversal } from '../metering/reversals.js';
import { singleLine, type ContentLine } from './content-line.js';
import { en } from './pdf/en.js';
import { formatsOf, meterTitle } from './pdf/format.js';

/** What usage lines are counted by. */
interface Group {
  readonly meter: string;
  readonly country: string;
  readonly projectId: string;
  /** The month in which it was used. */
  readonly month: string;
  readonly quantity: bigint;
}

interface Pricing {
  /** The month that is charged. */
  readonly period: string;
  readonly prices: Prices;
  /** The account's projects, oldest first. */
  readonly projects: readonly { id: string; name: string }[];
  readonly currency: string;
}

/**
 * The lines of a month's live usage: one for each meter, country, project and unit price, and separate ones for usage
 * of earlier months that was recorded late. Usage without a price has no line. The lines add up to what the usage
 * costs.
 */
export function usageLines(used: readonly Used[], { period, prices, projects, currency }: Pricing): ContentLine[] {
  const formats = formatsOf('en', currency);
  return priceUsage(prices, sorted(grouped(used), projects)).flatMap(({ usage, price, parts }) => {
    if (!price) return [];
    const { meter, projectId, month } = usage;
    const country = usage.country === '' ? null : usage.country;
    const usagePeriod = month === period ? null : month;
    const title = meterTitle(meter, country, en, formats);
    return parts.map(({ quantity, unitPrice }): ContentLine => ({
      kind: 'usage',
      description: usagePeriod === null ? title : `${title}, used in ${usagePeriod}`,
      fee: null,
      meter,
      country,
      usagePeriod,
      projectId,
      projectName: projects.find(({ id }) => id === projectId)?.name ?? null,
      quantity,
      unitPrice,
      amount: quantity * unitPrice,
    }));
  });
}

/**
 * The lines of reversals of closed months: one amount for each month, meter, country and project. Units that had cost
 * nothing have no line.
 */
export function reversalLines(
  given: readonly Reversal[],
  { projects, currency }: Pick<Pricing, 'projects' | 'currency'>,
): ContentLine[] {
  const formats = formatsOf('en', currency);
  const keyOf = ({ usedPeriod, meter, country, projectId }: Reversal): string =>
    [usedPeriod, meters.findIndex((each) => each === meter), country, projectId].join(' ');
  const groups = groupBy(given, keyOf).sort((a, b) =>
    compare([...a.slice(0, 1).map(keyOf)], [...b.slice(0, 1).map(keyOf)]),
  );
  return groups.flatMap((group) => {
    const [first] = group;
    const amount = group.reduce((sum, each) => sum + each.amount, 0n);
    if (!first || amount === 0n) return [];
    const { meter, projectId, usedPeriod } = first;
    const country = first.country === '' ? null : first.country;
    return singleLine('reversal', `${meterTitle(meter, country, en, formats)}, reversed from ${usedPeriod}`, -amount, {
      ...{ meter, country, projectId, usagePeriod: usedPeriod },
      projectName: projects.find(({ id }) => id === projectId)?.name ?? null,
    });
  });
}

const monthOf = (day: number): string => dateOfDay(day).slice(0, 7);

function grouped(used: readonly Used[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { isTest, meter, country, projectId, day, quantity } of used) {
    if (isTest) continue;
    const month = monthOf(day);
    const key = [meter, country, projectId, month].join(' ');
    const before = groups.get(key)?.quantity ?? 0n;
    groups.set(key, { meter, country, projectId, month, quantity: before + quantity });
  }
  return [...groups.values()].filter(({ quantity }) => quantity !== 0n);
}

/** Sorted by meter, country, month and project, so that the same usage always produces the same lines. */
function sorted(groups: readonly Group[], projects: Pricing['projects']): Group[] {
  const order = ({ meter, country, projectId, month }: Group): readonly (string | number)[] => [
    meters.findIndex((each) => each === meter),
    country,
    month,
    projects.findIndex(({ id }) => id === projectId),
    projectId,
  ];
  return [...groups].sort((a, b) => compare(order(a), order(b)));
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? '';
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
