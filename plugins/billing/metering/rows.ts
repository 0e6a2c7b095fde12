import type { Environment } from '#core/kernel/caller/caller.js';
import { newId } from '#core/runtime/id.js';
import type { Usage } from '../ports.js';
import type { Prices } from '../prices/price-list.js';
import { dearestPrice } from '../prices/tiers.js';
import type { UsageRow } from '../tables/usage.js';
import { periodOf } from '../invoices/months.js';
import { dayOf } from './period.js';

/** The rows of usage. Of what costs nothing, and of reversals, nothing is reserved. */
export function usageRows(
  environment: Environment,
  usages: readonly Usage[],
  { at, prices }: { at: Date; prices: Prices },
): UsageRow[] {
  const isTest = environment.kind === 'test';
  return usages
    .filter(({ quantity }) => quantity !== 0)
    .map(({ meter, quantity, country, sourceId }) => {
      return {
        id: newId(),
        accountId: environment.accountId,
        period: periodOf(at),
        meter,
        projectId: environment.projectId,
        day: dayOf(at),
        country: country ?? '',
        isTest,
        environmentId: environment.id,
        quantity: BigInt(quantity),
        sourceId,
        reserved: isTest || quantity < 0 ? 0n : dearestPrice(prices, meter, country) * BigInt(quantity),
        isRolledUp: false,
        createdAt: at,
      };
    });
}

/** What rows take from the cap until they are rolled up, in micro-units. */
export const reservedBy = (rows: readonly Pick<UsageRow, 'reserved'>[]): bigint =>
  rows.reduce((sum, { reserved }) => sum + reserved, 0n);
