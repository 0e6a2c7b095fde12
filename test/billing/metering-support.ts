import { idBytes } from '#core/runtime/id.js';
import { apiAt, type Api, type InputOf, type ReplyOf } from '#test/support/api.js';
import { eventually } from '#test/support/eventually.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import { rollUpUsage } from '#plugins/billing/closing/roll-up.js';

type UsageQuery = InputOf<'billing.usage.get'>;

/**
 * The usage of an account as billing.usage.get shows it: `meter: quantity amount`, those of test environments with
 * `test` before.
 */
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

/** Calls with a key that an admin of the account made. */
export async function adminOf(platform: TestPlatform, { svc }: Pick<TestAccount, 'svc'>): Promise<Api> {
  const { key, plaintext } = await svc.call('developers.key.create', {
    name: 'Billing',
    permissions: ['billing:write'],
  });
  await platform.running.services.database.run("UPDATE developers_key SET role = 'admin' WHERE id = ?", [
    idBytes(key.id),
  ]);
  return callsWith(platform, plaintext);
}

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
