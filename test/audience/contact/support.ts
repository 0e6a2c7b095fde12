import type { Environment } from '#core/kernel/caller/caller.js';
import { idBytes } from '#core/runtime/id.js';
import { suppressions } from '#plugins/audience/ports.js';
import type { SuppressionReason } from '#plugins/audience/ports.js';
import type { InputOf, ReplyOf } from '#test/support/api.js';
import type { StoredEvent, TestAccount, TestPlatform } from '#test/support/platform.js';

export type ImportInput = InputOf<'audience.contact.import'>;

/** An import that has been worked, as audience.import.get shows it. */
export async function imported(
  platform: TestPlatform,
  { svc }: Pick<TestAccount, 'svc'>,
  input: ImportInput,
): Promise<ReplyOf<'audience.import.get'>> {
  const { import: accepted } = await svc.call('audience.contact.import', input);
  await platform.settled();
  return svc.call('audience.import.get', { importId: accepted.id });
}

/** A topic of the account's live environment. */
export async function withTopic(account: TestAccount, key = 'news'): Promise<TestAccount> {
  await account.svc.call('audience.topic.create', { key, name: `The topic ${key}` });
  return account;
}

/** Holds an environment's queues up, as the closing of its account does; `false` lets them go on. */
export async function held(platform: TestPlatform, { id }: Environment, isHeld = true): Promise<void> {
  await platform.running.services.database.run('UPDATE svc_environment SET closed_at = ? WHERE id = ?', [
    isHeld ? platform.clock.now() : null,
    idBytes(id),
  ]);
}

/** What a person asked for by a link in a message, or by STOP. */
export async function suppressed(
  platform: TestPlatform,
  environment: Environment,
  address: string,
  reason: SuppressionReason,
): Promise<void> {
  const channel = address.startsWith('+') ? ('sms' as const) : ('email' as const);
  await platform.running.services.transaction('Test', async ({ use, actIn }) => {
    actIn(environment);
    await use(suppressions).add(environment, { channel, address, reason, note: null });
  });
}

/** The events of one kind, oldest first. */
export async function eventsNamed(
  platform: TestPlatform,
  environment: Environment,
  ...names: readonly string[]
): Promise<StoredEvent[]> {
  return (await platform.events(environment)).filter(({ type }) => names.includes(type));
}

/** What stands in every text column of every table of the product, for what must be in none of them. */
export async function everythingStored(platform: TestPlatform, tables: readonly string[]): Promise<string> {
  const { database } = platform.running.services;
  const rows = await Promise.all(tables.map((table) => database.rows(`SELECT * FROM ${table}`)));
  return JSON.stringify(rows, (_, value: unknown) =>
    Buffer.isBuffer(value) ? value.toString() : isBytes(value) ? Buffer.from(value.data).toString() : value,
  );
}

const isBytes = (value: unknown): value is { data: number[] } =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value;
