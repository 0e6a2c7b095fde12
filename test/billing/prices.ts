import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Meter } from '#plugins/billing/meters.js';

export interface TestPrice {
  meter: Meter;
  country?: string;
  from?: string;
  tiers: readonly (readonly [upTo: number | null, unitPrice: string])[];
}

/** One price for all units of a meter. */
export const flat = (meter: Meter, unitPrice: string, given: Pick<TestPrice, 'country' | 'from'> = {}): TestPrice => ({
  ...given,
  meter,
  tiers: [[null, unitPrice]],
});

/**
 * The settings of a deployment with these prices. Call it inside `describe`; the file goes when its tests have ended.
 */
export function usePrices(prices: readonly TestPrice[], currency = 'USD'): () => Promise<Record<string, string>> {
  let folder: string | undefined;
  after(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  return async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-prices-'));
    const path = join(folder, 'prices.json');
    const listed = prices.map(({ tiers, from = '2020-01', ...price }) => ({
      ...price,
      from,
      tiers: tiers.map(([upTo, unitPrice]) => ({ upTo, unitPrice })),
    }));
    await writeFile(path, JSON.stringify({ currency, prices: listed }));
    return { SVC_PRICES_FILE: path };
  };
}
