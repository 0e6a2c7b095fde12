import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { fixtureOf } from '../delivery/fixtures.js';
import type { Purpose, RecipientEligibility } from '#core/messaging/channel.js';
import { directory } from '#plugins/account/ports.js';
import {
  recipients,
  type AudienceUsage,
  type BlockReason,
  type Contacts,
  type Recipients,
  type Suppressions,
} from '#plugins/audience/ports.js';
import type { UserAddresses } from '#plugins/auth/ports.js';

/** Why a message does not go to somebody. */
export type BlockedReason = 'test_environment' | BlockReason;

export interface AddressEligibility extends RecipientEligibility {
  readonly blockReason: BlockedReason | null;
}

/** Whom a test environment may reach: the account's members, or whoever is addressed, for an invitation to the account. */
export type TestReach = 'members' | 'anyone';

/**
 * Checks which addresses may get mail from this environment now. Consent and suppressions are the audience product's to decide. A test
 * environment reaches only active members of its own account, at addresses that they have proven to be theirs, and the addresses that play
 * an outcome (docs/interface.md, Access 4 and 5).
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
  return results.map(({ address, contactId, blockReason }) => ({
    address,
    contactId,
    blockReason: isOutside(address) ? 'test_environment' : blockReason,
    // Made when it is asked for: sealing its token takes longer than the rest of this, and messages of broadcasts have theirs already.
    get preferencesUrl() {
      return topic === null || contactId === null
        ? null
        : audience.preferencesUrl(contactId, { channel: 'email', topic });
    },
  }));
}

/** Stands in for the audience product: without it nobody has unsubscribed, and there are no topics. */
export const allowAll = (): Recipients => ({
  checkEligibility: (_environmentId, _purpose, addresses) =>
    Promise.resolve(
      addresses.map((address) => ({ address, contactId: null, blockReason: null, suppressionReason: null })),
    ),
  mustBeSendable: () => Promise.resolve(),
  eligibleRecipients: () =>
    Promise.resolve({
      sql: 'SELECT NULL AS contact_id, NULL AS address LIMIT 0',
      parameters: [],
      columns: ['contact_id', 'address'],
    }),
  topicFacts: () => Promise.resolve(new Map()),
  contactsAfter: () => Promise.resolve(null),
  countAudience: () => Promise.resolve({ eligible: 0, noConsent: 0, suppressed: 0 }),
  hasSegment: () => Promise.resolve(false),
  preferencesUrl: () => '',
});

/** Stands in for the audience product: without it nothing is suppressed. */
export const noSuppressions = (): Suppressions => ({
  add: () => Promise.resolve(),
});

/** Stands in for the audience product: without it there are no contacts. */
export const noContacts = (): Contacts => ({
  facts: () => Promise.resolve(new Map()),
  consents: () => Promise.resolve(new Map()),
  idsByEmail: () => Promise.resolve(new Map()),
  knownProperties: () => Promise.resolve(new Set()),
  setProperties: (_environment, changes) => Promise.resolve(changes.map(() => 'no_contact')),
});

/** Stands in for the auth product: without it there are no users. */
export const noUsers = (): UserAddresses => ({ verifiedEmails: () => Promise.resolve(new Map()) });

/** Stands in for the audience product: without it there is nothing to mark. */
export const noUsage = (): AudienceUsage => ({
  markInUse: () => Promise.resolve(),
  release: () => Promise.resolve(),
});
