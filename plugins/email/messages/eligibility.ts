import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { fixtureOf } from './fixtures.js';
import type { Purpose, RecipientEligibility } from '#core/messaging/channel.js';
import { directory } from '#plugins/account/ports.js';
import { recipients, type BlockReason } from '#plugins/audience/ports.js';

/** Why a message does not go to somebody. */
export type BlockedReason = 'test_environment' | BlockReason;

export interface AddressEligibility extends RecipientEligibility {
  readonly blockReason: BlockedReason | null;
}

/**
 * Whom a test environment may reach: the account's members, or whoever is addressed, for an invitation to the account.
 */
export type TestReach = 'members' | 'anyone';

/**
 * Checks which addresses may get mail from this environment now. Consent and suppressions are the audience product's to
 * decide. A test environment reaches only active members of its own account, at addresses that they have proven to be
 * theirs, and the addresses that play an outcome (docs/interface.md, Access 4 and 5).
 * @returns one result per address, in their order
 */
export async function checkEligibility(
  { use, deployment }: Pick<Context, 'use' | 'deployment'>,
  environment: Environment,
  { topic, isSystem }: Purpose,
  addresses: readonly string[],
  testReach: TestReach = 'members',
): Promise<AddressEligibility[]> {
  const audience = use(recipients);
  const purpose = { channel: 'email', topic, system: isSystem } as const;
  const [memberAddresses, results] = await Promise.all([
    environment.kind === 'live' || testReach === 'anyone'
      ? undefined
      : use(directory).provenAddresses(environment.accountId),
    audience.checkEligibility(environment.id, purpose, addresses),
  ]);
  const members = memberAddresses && new Set(memberAddresses);
  const isOutside = (address: string): boolean =>
    members?.has(mailboxKey(address)) === false && fixtureOf(deployment, environment, address) === null;
  return results.map(({ address, contactId, blockReason, blockedBy }) => ({
    address,
    contactId,
    blockReason: isOutside(address) ? 'test_environment' : blockReason,
    blockedBy: isOutside(address) ? null : blockedBy,
    // Made when it is asked for: sealing its token takes longer than the rest of this, and messages of broadcasts have
    // theirs already.
    get preferencesUrl() {
      return topic === null || contactId === null
        ? null
        : audience.preferencesUrl(contactId, { channel: 'email', topic });
    },
  }));
}
