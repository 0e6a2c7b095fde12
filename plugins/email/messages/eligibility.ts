import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { fixtureOf } from './fixtures.js';
import type { Purpose, RecipientEligibility } from '#core/messaging/driver.js';
import { directory } from '#plugins/account/ports.js';
import { recipients, type BlockReason } from '#plugins/audience/ports.js';

/** Why a message is not sent to a recipient. */
export type BlockedReason = 'test_environment' | BlockReason;

export interface AddressEligibility extends RecipientEligibility {
  readonly blockReason: BlockedReason | null;
}

/** Whom a test environment may reach: the account's members or, for an invitation to the account, any recipient. */
type TestReach = 'members' | 'anyone';

/**
 * Checks which addresses may get mail from this environment now. The audience product decides on consent and
 * suppressions. A test environment only reaches active members of its account, at addresses that they have proven
 * to be theirs, and the addresses that play an outcome (docs/interface.md, Access 4 and 5).
 * @returns one result per address, in their order
 */
export async function mailEligibility(
  { use, deployment }: Pick<Context, 'use' | 'deployment'>,
  environment: Environment,
  { topic, isSystem, isAnswer = false }: Purpose,
  addresses: readonly string[],
  testReach: TestReach = 'members',
): Promise<AddressEligibility[]> {
  const audience = use(recipients);
  const purpose = { channel: 'email', topic, system: isSystem } as const;
  const [memberAddresses, results] = await Promise.all([
    environment.kind === 'live' || testReach === 'anyone'
      ? undefined
      : use(directory).provenAddresses(environment.accountId),
    audience.eligibilityOf(environment.id, purpose, addresses),
  ]);
  const members = memberAddresses && new Set(memberAddresses);
  const isOutside = (address: string): boolean =>
    members?.has(mailboxKey(address)) === false && fixtureOf(deployment, environment, address) === null;
  const found = results.map(({ address, contactId, blockReason, blockedBy }): AddressEligibility => ({
    address,
    contactId,
    blockReason: isOutside(address) ? 'test_environment' : blockReason,
    blockedBy: isOutside(address) ? null : blockedBy,
    // Made on demand: sealing its token takes longer than the rest of this, and messages of broadcasts already have
    // theirs.
    get preferencesUrl() {
      return topic === null || contactId === null
        ? null
        : audience.preferencesUrl(contactId, { channel: 'email', topic }, { environmentId: environment.id, address });
    },
  }));
  return isAnswer ? found.map(despiteBounce) : found;
}

/** Whether mail to a recipient is stopped because earlier mail bounced. */
export const isBounced = ({ blockReason, blockedBy }: AddressEligibility): boolean =>
  blockReason === 'suppressed_recipient' && blockedBy?.source === 'bounce';

/** The result for sign-in mail that the recipient has just asked for: a bounce does not stop it. */
export const despiteBounce = (found: AddressEligibility): AddressEligibility =>
  isBounced(found) ? { ...found, blockReason: null, blockedBy: null } : found;
