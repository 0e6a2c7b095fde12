import { dayOf } from '#core/runtime/clock.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { newId } from '#core/runtime/id.js';
import { endOf, periodOf } from '../periods/months.js';
import type { Usage } from '../ports.js';
import type { Prices } from '../prices/price-list.js';
import { dearestPrice } from '../prices/tiers.js';
import type { UsageRow } from '../tables/usage.js';
import type { Recorded } from './recorded.js';

type Common = 'id' | 'accountId' | 'meter' | 'projectId' | 'country' | 'isTest' | 'environmentId' | 'sourceId';

const commonOf = (environment: Environment, { meter, country, sourceId }: Usage): Pick<UsageRow, Common> => ({
  id: newId(),
  accountId: environment.accountId,
  meter,
  projectId: environment.projectId,
  country: country ?? '',
  isTest: environment.kind === 'test',
  environmentId: environment.id,
  sourceId,
});

/** The rows of usage. Nothing is reserved for usage that costs nothing. */
export const usageRows = (
  environment: Environment,
  usages: readonly Usage[],
  { at, prices }: { at: Date; prices: Prices },
): UsageRow[] =>
  usages
    .filter(({ quantity }) => quantity > 0)
    .map((usage): UsageRow => {
      const { meter, country } = usage;
      const quantity = BigInt(usage.quantity);
      return {
        ...commonOf(environment, usage),
        period: periodOf(at),
        day: dayOf(at),
        quantity,
        reserved: environment.kind === 'test' ? 0n : dearestPrice(prices, meter, country) * quantity,
        isRolledUp: false,
        createdAt: at,
      };
    });

/**
 * The rows of reversals, in the months in which the reversed units are charged. In an earlier month that is still open,
 * the rows belong to the last day of that month.
 */
export const reversalRows = (environment: Environment, recorded: readonly Recorded[], at: Date): UsageRow[] =>
  recorded.map(({ period, ...usage }) => ({
    ...commonOf(environment, usage),
    period,
    day: period < periodOf(at) ? dayOf(new Date(endOf(period).getTime() - 1)) : dayOf(at),
    quantity: -BigInt(usage.quantity),
    reserved: 0n,
    isRolledUp: false,
    createdAt: at,
  }));

/** The amount that rows take from the cap until they are rolled up, in micro-units. */
export const reservedBy = (rows: readonly Pick<UsageRow, 'reserved'>[]): bigint =>
  rows.reduce((sum, { reserved }) => sum + reserved, 0n);
