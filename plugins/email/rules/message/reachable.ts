import type { Environment } from '#core/kernel/caller/caller.js';
import type { TransactionContext } from '#core/kernel/context.js';
import { directory } from '#plugins/account/ports.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';

export interface Reach {
  address: string;
  allowed: boolean;
}

/**
 * Who of the addressed may get mail from this environment. A test environment reaches the account's own active members alone, at
 * addresses that are proven to be theirs (specification, What the service does, 4).
 */
export async function reachable(
  { use }: TransactionContext,
  environment: Environment,
  addresses: readonly string[],
): Promise<Reach[]> {
  if (environment.kind === 'live') return addresses.map((address) => ({ address, allowed: true }));
  const proven = new Set(await use(directory).provenAddresses(environment.accountId));
  return addresses.map((address) => ({ address, allowed: proven.has(mailboxKey(address)) }));
}
