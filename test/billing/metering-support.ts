import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiAt, type Api, type InputOf, type ReplyOf } from '#test/support/api.js';
import { eventually } from '#test/support/eventually.js';
import type { TestPlatform } from '#test/support/platform.js';
import { rollUpUsage } from '#plugins/billing/metering/roll-up.js';

interface PriceInput {
  meter: string;
  country?: string;
  from?: string;
  tiers: { upTo: number | null; unitPrice: string }[];
}

/** A price of one tier. */
export const flat = (meter: string, unitPrice: string, given: Partial<PriceInput> = {}): PriceInput => ({
  meter,
  tiers: [{ upTo: null, unitPrice }],
  ...given,
});

/** The settings of a deployment with these prices. Call it inside `describe`; the file goes when its tests have ended. */
export function usePrices(prices: readonly PriceInput[]): () => Promise<Record<string, string>> {
  const folders: string[] = [];
  after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-prices-'));
    folders.push(folder);
    const path = join(folder, 'prices.json');
    const entries = prices.map((price) => ({ from: '2020-01', ...price }));
    await writeFile(path, JSON.stringify({ currency: 'USD', prices: entries }));
    return { SVC_PRICES_FILE: path };
  };
}

type UsageQuery = InputOf<'billing.usage.get'>;

/** The usage of an account as billing.usage.get shows it: `meter: quantity amount`, those of test environments with `test` before. */
export async function usageOf(svc: Api, query: UsageQuery = {}): Promise<string[]> {
  const { rows } = await svc.call('billing.usage.get', query);
  return rows.map(line);
}

const line = ({ meter, project, date, test, quantity, amount }: ReplyOf<'billing.usage.get'>['rows'][number]): string =>
  [
    ...(test ? ['test'] : []),
    ...(project ? [project.name] : []),
    ...(date === null ? [] : [date]),
    meter,
    quantity,
    amount.amount,
  ].join(' ');

/** Rolls up all usage that has committed. */
export const rollUp = (platform: TestPlatform): Promise<number> => rollUpUsage(platform.running.services);

/** A message to one recipient. */
export const mail = (to = 'ada@example.com'): InputOf<'email.send'> => ({ to, subject: 'Hello', text: 'Hello' });

/** Waits until the account's usage is this. */
export const usageIs = (svc: Api, wanted: readonly string[], query: UsageQuery = {}): Promise<void> =>
  eventually(
    async () => JSON.stringify(await usageOf(svc, query)) === JSON.stringify(wanted),
    `usage is ${wanted.join(', ')}`,
  );

/** Calls with another key. */
export const callsWith = (platform: TestPlatform, key: string): Api =>
  apiAt(
    () => platform.running.address,
    () => key,
    () => platform.running.registry,
  );
