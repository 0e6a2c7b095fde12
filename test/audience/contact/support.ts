import type { Environment } from '#core/kernel/caller/caller.js';
import { idBytes } from '#core/runtime/id.js';
import { suppressions } from '#plugins/audience/ports.js';
import type { SuppressionReason } from '#plugins/audience/ports.js';
import type { InputOf, ReplyOf } from '#test/support/api.js';
import type { StoredEvent, TestAccount, TestPlatform } from '#test/support/platform.js';

export type ImportInput = InputOf<'audience.contact.import'>;

/** Imports contacts, waits until the import ends, and returns it as audience.import.get shows it. */
export async function runImport(
  platform: TestPlatform,
  { svc }: Pick<TestAccount, 'svc'>,
  input: ImportInput,
): Promise<ReplyOf<'audience.import.get'>> {
  const { import: accepted } = await svc.call('audience.contact.import', input);
  await platform.settled();
  return svc.call('audience.import.get', { importId: accepted.id });
}

/** Creates a topic in the account's live environment. */
export async function withTopic(account: TestAccount, key = 'news'): Promise<TestAccount> {
  await account.svc.call('audience.topic.create', { key, name: `The topic ${key}` });
  return account;
}

/** Closes an environment as closing its account does, which stops its queues; `false` reopens it. */
export async function setClosed(platform: TestPlatform, { id }: Environment, isClosed = true): Promise<void> {
  await platform.running.services.database.run('UPDATE svc_environment SET closed_at = ? WHERE id = ?', [
    isClosed ? platform.clock.now() : null,
    idBytes(id),
  ]);
}

/** Suppresses an address or number, as the person does by a preferences link or STOP. */
export async function suppress(
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

/** The events with these names, oldest first. */
export async function eventsNamed(
  platform: TestPlatform,
  environment: Environment,
  ...names: readonly string[]
): Promise<StoredEvent[]> {
  return (await platform.events(environment)).filter(({ type }) => names.includes(type));
}

/** All rows of these tables as one text, to search for data that must not be stored. */
export async function everythingStored(platform: TestPlatform, tables: readonly string[]): Promise<string> {
  const { database } = platform.running.services;
  const rows = await Promise.all(tables.map((table) => database.rows(`SELECT * FROM ${table}`)));
  return JSON.stringify(rows, (_, value: unknown) =>
    Buffer.isBuffer(value) ? value.toString() : isBytes(value) ? Buffer.from(value.data).toString() : value,
  );
}

const isBytes = (value: unknown): value is { data: number[] } =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value;
